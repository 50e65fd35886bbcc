import Foundation
import PackagePlugin

/// Embeds the files of `web` in the server, so that the executable needs no other files.
@main
struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let web = context.package.directoryURL.appendingPathComponent("web")
        let output = context.pluginWorkDirectoryURL.appendingPathComponent("EmbeddedPage.swift")
        let files = (FileManager.default.subpaths(atPath: web.path) ?? []).sorted()
            .map { web.appendingPathComponent($0) }
        return [
            .buildCommand(
                displayName: "Embed the page", executable: try context.tool(named: "PagePacker").url,
                arguments: [web.path, output.path], inputFiles: files, outputFiles: [output])
        ]
    }
}

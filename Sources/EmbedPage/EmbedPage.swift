import Foundation
import PackagePlugin

/// Embeds the files of `web` in the server, so that the executable needs no other files.
@main
struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let web = context.package.directoryURL.appendingPathComponent("web")
        let output = context.pluginWorkDirectoryURL.appendingPathComponent("EmbeddedPage.swift")
        // The times of folders, and hidden files, have no part in the page.
        let files = (FileManager.default.subpaths(atPath: web.path) ?? []).sorted()
            .filter { path in !path.split(separator: "/").contains { $0.hasPrefix(".") } }
            .map { web.appendingPathComponent($0) }.filter { !$0.hasDirectoryPath }
        return [
            .buildCommand(
                displayName: "Embed the page", executable: try context.tool(named: "PagePacker").url,
                arguments: [web.path, output.path], inputFiles: files, outputFiles: [output])
        ]
    }
}

#if Server
    import TapeFormat
    import Testing

    @testable import StateTapeServer

    @Suite(.timeLimit(.minutes(1))) struct FanOutTests {
        private let session = Sample.header().session

        @Test("A viewer gets, by HTTP and live, every event exactly once while the app goes on sending")
        func withoutHoles() async throws {
            let server = try TestServer()
            let app = await server.app()
            _ = try await app.welcome()
            let lines = Sample.counting(to: 3_000)
            async let sending: Void = {
                for line in lines { app.send([line.bytes]) }
                try await app.acknowledged(lines.count)
            }()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let viewer = await server.viewer()
                        viewer.send([ViewerRequest.watch(session: session).bytes])
                        let next = try await viewer.watching()
                        var seqs: [Int] = []
                        while seqs.count < next {
                            let path = TestServer.session + "/events?from=\(seqs.count)&limit=\(next - seqs.count)"
                            let page = try await server.http.get(path)
                            seqs += try page.lines.map { try EventLine(parsing: $0).seq }
                        }
                        while seqs.count < lines.count {
                            let seq = try await viewer.event()["seq"]?.int ?? -1
                            #expect(seq == seqs.count)
                            seqs.append(seq)
                        }
                        #expect(seqs == Array(0..<lines.count))
                    }
                }
                try await group.waitForAll()
            }
            try await sending
        }

        @Test("An event is published after its commit, with what is large left out")
        func publish() async throws {
            let server = try TestServer()
            let app = try await server.recorded([Sample.start(0)])
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watch(session: session).bytes])
            #expect(try await viewer.watching() == 1)
            app.send([Sample.full(1, ["text": .string(String(repeating: "x", count: 20_000))]).bytes])
            let (line, large) = try await viewer.viewerLine {
                if case .event(_, let line, let large) = $0 { (line, large) } else { nil }
            }
            #expect(line["seq"] == 1 && line["state"] == nil && large == ["state"])
            #expect(try await server.http.get(TestServer.session + "/events/1").json()["state"] != nil)
        }

        @Test("A viewer hears no more of what it no longer watches")
        func unwatch() async throws {
            let server = try TestServer()
            let app = try await server.recorded([Sample.start(0)])
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watch(session: session).bytes])
            _ = try await viewer.watching()
            viewer.send([
                ViewerRequest.unwatch(session: session).bytes, ViewerRequest.watch(session: "other-one-0").bytes,
            ])
            #expect(try await viewer.watching() == 0)
            app.send([Sample.count(1, to: 1).bytes])
            try await app.acknowledged(2)
            viewer.send([ViewerRequest.watch(session: session).bytes])
            guard case .line(let next) = await viewer.next(), case .watching(_, 2) = try ViewerLine(parsing: next)
            else {
                return #expect(Bool(false), "an event came")
            }
        }

        @Test("Sessions that appear, change and end are told to who watches the list")
        func sessions() async throws {
            let server = try TestServer()
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watchSessions.bytes])
            let app = try await server.recorded([])
            #expect(try await viewer.summary { $0["live"] == true }["session"]?.string == session)
            app.send(Sample.counting(to: 3).map(\.bytes))
            _ = try await viewer.summary { $0["events"] == 3 }
            app.send([Sample.end(3).bytes])
            _ = try await viewer.summary { $0["ended"] == true }
            app.close()
            _ = try await viewer.summary { $0["live"] == false }
            let again = await server.app()
            _ = try await again.welcome()
            let late = await server.viewer()
            late.send([ViewerRequest.watchSessions.bytes])
            #expect(try await late.summary()["session"]?.string == session)
        }

        @Test("A viewer that doesn't read is told that it is behind, and goes on from there")
        func behind() async throws {
            let server = try TestServer()
            let app = try await server.recorded([Sample.start(0)])
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watch(session: session).bytes])
            _ = try await viewer.watching()
            viewer.pauseReading()
            // Members under 16 KiB go with their lines: enough of them fill every buffer on the way.
            let text = JSON.string(String(repeating: "x", count: 15_000))
            for seq in 1...2_000 { app.send([Sample.full(seq, text).bytes]) }
            try await app.acknowledged(2_001)
            viewer.resumeReading()
            var next = 1
            let behind = try await viewer.viewerLine { line -> Int? in
                switch line {
                case .event(_, let line, _):
                    #expect(line["seq"]?.int == next)
                    next += 1
                    return nil
                case .behind(_, let behind): return behind
                default: return nil
                }
            }
            #expect(behind > next && behind <= 2_001)
            app.send([Sample.full(2_001, 1).bytes])
            #expect(try await viewer.event()["seq"]?.int == behind)
        }

        @Test("A viewer that reads nothing for too long is closed with 4008")
        func notReading() async throws {
            let server = try TestServer { $0.timing.viewer = .milliseconds(100) }
            let app = try await server.recorded([Sample.start(0)])
            let viewer = await server.viewer()
            viewer.send([ViewerRequest.watch(session: session).bytes])
            _ = try await viewer.watching()
            viewer.pauseReading()
            let text = JSON.string(String(repeating: "x", count: 15_000))
            for seq in 1...2_000 { app.send([Sample.full(seq, text).bytes]) }
            try await app.acknowledged(2_001)
            // The server has let go of it; what was on its way is read before the end is seen.
            let watcher = await server.viewer()
            watcher.send([ViewerRequest.watchSessions.bytes])
            viewer.resumeReading()
            let code = await viewer.closed().code
            #expect(code == 4008 || code == nil)
        }

        @Test("A viewer's bad line closes it with 4000")
        func badLine() async throws {
            let server = try TestServer()
            let viewer = await server.viewer()
            viewer.send([Array("[1,]".utf8)])
            #expect(await viewer.closed().code == 4000)
        }
    }
#endif

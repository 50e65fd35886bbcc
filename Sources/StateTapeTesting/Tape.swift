public import StateTape

/// The tape of the running test.
public enum Tape {
    /// The recorder of the test that runs in this task. It is off outside of tests with the trait ``Testing/Trait/taped``
    /// and of ``TapedTestCase``.
    ///
    /// A `Recorder()` that the app makes during the test records as well: each recorder writes its own tape.
    public static var current: Recorder { TestTape.current?.recorder ?? off }

    private static let off = Recorder.off
}

#if !canImport(Combine)
    /// What Combine declares, without its publishers.
    protocol ObservableObject: AnyObject {}

    @propertyWrapper struct Published<Value> {
        var wrappedValue: Value
    }
#endif

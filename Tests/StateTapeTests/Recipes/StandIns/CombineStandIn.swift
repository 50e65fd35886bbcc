#if !canImport(Combine)
    /// Combine's declarations, without its publishers.
    protocol ObservableObject: AnyObject {}

    @propertyWrapper struct Published<Value> {
        var wrappedValue: Value
    }
#endif

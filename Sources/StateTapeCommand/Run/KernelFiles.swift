import Foundation

#if os(Linux)
    import CLinux
#endif

/// The file systems whose files the kernel makes up, such as `/proc`. Nobody edits sources there, and some files have
/// no end.
enum KernelFiles {
    #if os(Linux)
        /// proc, sys, cgroup, cgroup2, debug, trace, devpts, security, bpf, pstore, config, selinux, mqueue, binfmt,
        /// fusectl and efivar; see `linux/magic.h`.
        private static let types: Set<UInt32> = [
            0x9fa0, 0x6265_6572, 0x27_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x1cd1, 0x7363_6673, 0xcafe_4a11,
            0x6165_676c, 0x6265_6570, 0xf97c_ff8c, 0x1980_0202, 0x4249_4e4d, 0x6573_5543, 0xde5e_81e4,
        ]
    #endif

    static func contain(_ folder: String) -> Bool {
        #if os(Linux)
            types.contains(file_system_type(folder))
        #else
            false
        #endif
    }
}

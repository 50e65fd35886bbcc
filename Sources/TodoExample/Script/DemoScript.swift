extension Script {
    /// The endless script of `--demo`, which fills the timeline.
    static let demo = """
        # The morning: a list fills up.
        list Inbox
        filter all
        pause 1.2s
        add Buy milk #home #shop due:tomorrow
        pause 900ms
        add Call Ana about Friday #phone due:today
        pause 1.4s
        add Send the invoice to Okafor & Söhne #work #money due:+3
        pause 600ms
        add Pick up 東京 guidebook #shop
        pause 1.8s
        done 1
        pause 500ms
        tag 2 #errand
        pause 800ms
        sync
        pause 1.5s
        wait-for sync

        # At work: a burst of typing.
        list Work
        pause 1s
        add Review the pull request #code due:today
        pause 250ms
        add Fix the flaky test #code #ci due:today
        pause 250ms
        add Write the release notes #docs due:fri
        pause 250ms
        add Answer support mail #mail
        pause 250ms
        add Plan the retrospective #team due:+6
        pause 2s
        done 2
        pause 1.3s
        rename 2 Write the release notes for 2.4
        pause 900ms
        due 2 tomorrow
        pause 1.6s

        # Second thoughts.
        remove 3
        pause 700ms
        undo
        pause 1.1s
        filter #code
        pause 1.5s
        filter open
        pause 1.2s
        filter all
        sync
        wait-for sync
        pause 800ms

        # A list of its own, and things moved about.
        list Weekend
        pause 900ms
        add Walk to the lake 🏞️ #outside due:sat
        pause 400ms
        add Repair the bicycle 🚲 #outside #home due:sat
        pause 400ms
        add Bake bread #home due:sun
        pause 1.4s
        rename-list Days off
        pause 1s
        list Work
        pause 600ms
        move 1 Days off
        pause 900ms
        undo
        pause 1.2s
        list Days off
        pause 700ms

        # Done in one go.
        done 1
        done 1
        done 1
        pause 1.5s
        reopen 3
        pause 1s
        sync
        wait-for sync
        pause 900ms
        filter overdue
        pause 1s
        filter done
        pause 1.2s
        filter all
        pause 500ms

        # The evening: tidy up, so that tomorrow begins as today did.
        remove-list
        pause 800ms
        list Work
        pause 500ms
        done 1 2 3 4
        pause 700ms
        clear
        pause 1.3s
        list Inbox
        pause 600ms
        done all
        pause 900ms
        clear
        pause 1s
        sync
        wait-for sync
        pause 2s
        loop
        """
}

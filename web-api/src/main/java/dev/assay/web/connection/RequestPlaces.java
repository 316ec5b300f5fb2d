package dev.assay.web.connection;

/** The memory that one request takes. */
record RequestPlaces(BodyPlace body, AnswerPlace answer) {

    RequestPlaces(MemoryAccount memory) {
        this(memory.place(), new AnswerPlace(memory.answers()));
    }

    /** The client has left. */
    void leave() {
        body.leave();
        answer.leave();
    }
}

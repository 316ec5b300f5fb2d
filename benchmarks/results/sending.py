"""Many outcomes of one model, sent to a server as an import."""
import json
import random

from words import words

TRIALS = 1_000
LINES = 20_000


def lines(outcomes):
    generator = random.Random(1)
    answers = [words(generator, 60) for _ in range(1_000)]
    for number in range(outcomes):
        case, trial = divmod(number, TRIALS)
        if trial == 0:
            yield json.dumps({"case": {"id": f"case-{case}", "prompts": ["Which river?"]}})
        passed = generator.random() < 0.7
        yield json.dumps({"caseId": f"case-{case}", "branchId": "model", "trial": trial + 1, "status": "COMPLETED",
                          "response": generator.choice(answers), "usage": {"input": 120, "output": 60, "total": 180}, "costUsd": 0.0012,
                          "latencyMs": generator.randrange(10_000), "checks": [{"type": "imported", "status": "PASSED" if passed else "FAILED",
                                                                                "score": 1 if passed else 0, "metric": "river"}]})


def imported(server, outcomes):
    trials = min(outcomes, TRIALS)
    begun = server.json("/imports", json.dumps({"tool": "words", "name": "words", "trials": trials,
                                                "branches": [{"id": "model", "model": "words"}]}).encode())["import"]
    sequence, part = 0, []

    def send():
        nonlocal sequence, part
        body = "".join(line + "\n" for line in part).encode()
        server.json(f"/imports/{begun}/results?sequence={sequence}", body, "application/x-ndjson")
        sequence, part = sequence + 1, []

    for line in lines(outcomes):
        part.append(line)
        if len(part) == LINES:
            send()
    if part:
        send()
    return server.json(f"/imports/{begun}/finish", b'{"complete": true}')["id"]

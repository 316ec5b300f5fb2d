"""Runs hypothesis evaluations on a server and compares each with its ideal schedule; see benchmarks/hypotheses."""

import datetime
import json
import math
import statistics
import sys
import time
import urllib.request

CASES = [(10, "single", 10, 1), (10, "batched", 2, 3), (10, "individual", 1, 3),
         (4, "batched", 2, 3), (5, "batched", 2, 3), (50, "batched", 2, 3)]


def call(address, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return answer.read().decode()


def ideal_seconds(count, size, concurrent, seconds):
    """Batches in order, each begun as soon as a call may begin."""
    free = [0.0] * concurrent
    for start in range(0, count, size):
        free.sort()
        free[0] += min(size, count - start) * seconds
    return max(free)


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def run(api, endpoint, count, mode):
    urllib.request.urlopen(urllib.request.Request(endpoint + "/reset", b"")).read()
    document = {"challenger": {"provider": "openai", "model": "m"}, "parallelConfig": {"mode": mode},
                "hypotheses": [{"id": f"h{i}", "statement": f"Claim {i}"} for i in range(count)]}
    evaluation = json.loads(call(api + "/api/v1/hypothesis-evaluations?wait=5m", document))
    if evaluation["summary"]["scored"] != count:
        sys.exit(f"Not all were scored: {evaluation['warnings']}")
    seen = dict(line.split() for line in call(endpoint + "/stats").splitlines())
    first = int(seen["first"]) / 1000
    return {"accepted": first - moment(evaluation["createdAt"]), "recorded": moment(evaluation["finishedAt"]) - first,
            "calls": int(seen["calls"]), "most": int(seen["most"])}


def await_server(api):
    """The server says where it is before it answers."""
    for _ in range(300):
        try:
            return call(api + "/api/v1/hypothesis-evaluations")
        except OSError:
            time.sleep(0.2)
    sys.exit("The server does not answer")


def main():
    endpoints, endpoint, millis, rounds = sys.argv[1:]
    with open(endpoints) as file:
        api = json.load(file)["api"]
    await_server(api)
    run(api, endpoint, 4, "batched")
    print("| hypotheses | mode | calls | most in flight | ideal | first request to end | of the ideal | accepted to first request |")
    print("|---|---|---|---|---|---|---|---|")
    took, failed = {}, []
    for count, mode, size, concurrent in CASES:
        runs = [run(api, endpoint, count, mode) for _ in range(int(rounds))]
        ideal = ideal_seconds(count, size, concurrent, int(millis) / 1000)
        recorded = statistics.median(one["recorded"] for one in runs)
        accepted = statistics.median(one["accepted"] for one in runs)
        took[count, mode] = (recorded, ideal)
        most = max(one["most"] for one in runs)
        print(f"| {count} | {mode} | {runs[0]['calls']} | {most} | {ideal:.2f} s | {recorded:.2f} s | {recorded / ideal:.3f} | {accepted:.2f} s |")
        if most > concurrent or runs[0]["calls"] != math.ceil(count / size):
            failed.append(f"{count}, {mode}: {most} in flight, {runs[0]['calls']} calls")
        if recorded > 1.1 * ideal:
            failed.append(f"{count}, {mode}: {recorded:.2f} s, more than 1.1 × {ideal:.2f} s")
    single, single_ideal = took[10, "single"]
    for mode in ("batched", "individual"):
        recorded, ideal = took[10, mode]
        print(f"\n10 hypotheses, {mode}: {single / recorded:.2f} × faster than single (ideal {single_ideal / ideal:.2f} ×)")
        if single / recorded < 0.9 * single_ideal / ideal:
            failed.append(f"{mode} is only {single / recorded:.2f} × faster than single")
    for line in failed:
        print("FAILED:", line, file=sys.stderr)
    sys.exit(1 if failed else 0)


main()

"""A provider with limits over the last 60 seconds. It counts every request, and refuses those that are too many unless told not to."""
import collections
import http.server
import json
import threading
import time

ANSWER = "Paris is the capital of France."
WINDOW = 60.0


class Limit:
    """One limit. A request counts when it arrives, whether it is refused or not."""

    def __init__(self, limit):
        self.limit = limit
        self.seen, self.seen_sum = collections.deque(), 0
        self.taken, self.taken_sum = collections.deque(), 0
        self.all_taken = []
        self.over = 0
        self.fullest = 0

    def see(self, now, units):
        self.seen.append((now, units))
        self.seen_sum += units
        while self.seen[0][0] <= now - WINDOW:
            self.seen_sum -= self.seen.popleft()[1]
        while self.taken and self.taken[0][0] <= now - WINDOW:
            self.taken_sum -= self.taken.popleft()[1]
        self.fullest = max(self.fullest, self.seen_sum)
        self.over += self.seen_sum > self.limit

    def has(self, units):
        return self.taken_sum + units <= self.limit

    def take(self, now, units):
        self.taken.append((now, units))
        self.taken_sum += units
        self.all_taken.append((now, units))

    def use(self, since, until):
        """The part of the limit that was used between two times."""
        units = sum(units for at, units in self.all_taken if since <= at < until)
        return units * WINDOW / self.limit / (until - since)


class Provider:
    """Answers OpenAI's chat completions after a delay, by groups of models that begin with a prefix."""

    def __init__(self, groups, delay, refuses=True, tells=False):
        self.groups = {prefix: {name: Limit(limit) for name, limit in limits.items()} for prefix, limits in groups.items()}
        self.delay = delay
        self.refuses = refuses
        self.tells = tells
        self.lock = threading.Lock()
        self.calls = self.refused = 0
        self.marks = {}
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                self.connection.setsockopt(6, 1, 1)  # TCP_NODELAY

            def log_message(self, *_):
                pass

            def do_POST(self):
                provider.answer(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 512

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def change(self, prefix, name, limit):
        """From now on another limit holds. What was sent before is not held against it."""
        with self.lock:
            before = self.groups[prefix][name]
            after = Limit(limit)
            after.all_taken = []
            self.groups[prefix][name] = after
            return before

    def answer(self, handler, request):
        texts = [message["content"] for message in request["messages"]]
        texts = [text if isinstance(text, str) else "".join(part.get("text", "") for part in text) for text in texts]
        tokens = sum(-(-len(text.encode()) // 4) + 4 for text in texts)
        output = request.get("max_completion_tokens") or request.get("max_tokens") or 20
        now = time.monotonic()
        with self.lock:
            self.calls += 1
            for mark in [mark for mark, at in self.marks.items() if at is None and mark in texts[-1]]:
                self.marks[mark] = now
            limits = next((limits for prefix, limits in self.groups.items() if request["model"].startswith(prefix)), {})
            units = {name: 1 if name.startswith("requests") else tokens + output for name in limits}
            for name, limit in limits.items():
                limit.see(now, units[name])
            full = [name for name, limit in limits.items() if not limit.has(units[name])] if self.refuses else []
            if full:
                self.refused += 1
            else:
                for name, limit in limits.items():
                    limit.take(now, units[name])
            said = {header: value for name, limit in limits.items() for header, value in self.headers(name, limit)} if self.tells else {}
        if full:
            body = {"error": {"message": f"Rate limit reached for {full[0]}.", "type": "requests", "code": "rate_limit_exceeded"}}
            self.write(handler, 429, "application/json", json.dumps(body), said)
            return
        time.sleep(self.delay)
        usage = {"prompt_tokens": tokens, "completion_tokens": output, "total_tokens": tokens + output}
        base = {"id": "c", "created": 0, "model": request["model"]}
        if request.get("stream"):
            events = [
                {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}]},
                {**base, "object": "chat.completion.chunk", "choices": [], "usage": usage},
            ]
            text = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
            self.write(handler, 200, "text/event-stream", text, said)
        else:
            choice = {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}
            self.write(handler, 200, "application/json", json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage}), said)

    @staticmethod
    def headers(name, limit):
        """As Mistral names them."""
        what = "req" if name.startswith("requests") else "tokens"
        yield f"x-ratelimit-limit-{what}-minute", str(limit.limit)
        yield f"x-ratelimit-remaining-{what}-minute", str(max(0, limit.limit - limit.taken_sum))

    @staticmethod
    def write(handler, status, kind, text, headers):
        body = text.encode()
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", kind)
            handler.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(body)
        except OSError:
            pass  # Its caller was killed.

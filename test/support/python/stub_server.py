"""A real HTTP end of the capture route's contract for the client's tests; it stores nothing but what came."""

import gzip
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StubServer:
    """`moods` says how the next requests are met, then `mood` holds: take, hang, half (an answer that does not end), reset,
    nonsense, or (status, headers)."""

    def __init__(self):
        self.moods = []
        self.mood = 'take'
        self.requests = []
        self.captures = []
        self.arrived = threading.Event()
        self.release = threading.Event()
        self.on_hang = None
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_POST(self):
                stub.answer(self)

            do_PUT = do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}'
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, request):
        body = request.rfile.read(int(request.headers.get('content-length') or 0))
        mood = self.moods.pop(0) if self.moods else self.mood
        self.requests.append((request.command, request.path, dict(request.headers.items()), body))
        self.arrived.set()
        if mood == 'hang':
            if self.on_hang:
                self.on_hang()
            self.release.wait()
            mood = 'take'
        if mood == 'reset':
            request.connection.shutdown(socket.SHUT_RDWR)
            return
        if mood == 'half':
            request.send_response(200)
            request.send_header('content-length', '1000')
            request.end_headers()
            request.wfile.write(b'{')
            request.wfile.flush()
            self.release.wait()
            return
        status, headers = mood if isinstance(mood, tuple) else (200, {})
        answer = b'{"error":{"code":"x","message":"secret-of-the-payload"}}'
        if mood == 'nonsense':
            answer = b'<html>'
        elif status == 200:
            if request.headers.get('content-encoding') == 'gzip':
                body = gzip.decompress(body)
            capture = json.loads(body) if request.command == 'POST' else {}
            self.captures.append(capture)
            answer = json.dumps({'id': str(len(self.captures)), 'work_key': capture.get('work_key', ''), 'attempts': 1,
                                 'outcome': 'created'}).encode()
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header('content-length', str(len(answer)))
        request.end_headers()
        request.wfile.write(answer)

    def close(self):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()

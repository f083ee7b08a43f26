/** The request of whoever reads with a key or the token of a session. */
export const readingOf = (path: string, token: string) =>
  `GET /api/v1/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`

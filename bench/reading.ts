/** A GET request with an API key or a session's token. */
export const buildGetRequest = (path: string, token: string) =>
  `GET /api/v1/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`

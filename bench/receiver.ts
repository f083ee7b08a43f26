import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

// A receiver of webhooks that reads each request and answers 204 at once.

answerParent<object, number>(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

// The redirect's floor: node:http answering every request with one constant 302, storing nothing.

answerParent<object, number>(async () => {
  const server = createServer((_request, response) => {
    response.writeHead(302, { location: 'https://shop.example/?ref=none', 'content-length': 0 }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})

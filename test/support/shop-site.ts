import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

type Passed = { path: string; setCookie: string | undefined }

/**
 * A customer's site on loopback: `pages` by path, and their `files`; any other path shows a thank-you. With `passOn` it
 * serves the script by itself: `/{name}.js` and `/{name}/…` are proxied to `to`, as in the recipes on the screen.
 */
export async function standInShop() {
  const pages: Record<string, string> = {}
  const files: Record<string, string> = {}
  const passed: Passed[] = []
  let proxy: { name: string; to: string } | undefined

  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    if (proxy && (pathname === `/${proxy.name}.js` || pathname.startsWith(`/${proxy.name}/`))) {
      const { cookie, host, ...headers } = incoming.headers
      const onward = request(proxy.to + pathname, { method: incoming.method, headers }, (answer) => {
        passed.push({ path: pathname, setCookie: answer.headers['set-cookie']?.[0] })
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(onward)
      return
    }
    incoming.resume().on('end', () => {
      const script = files[pathname]
      outgoing.writeHead(200, {
        'content-type': script === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
      })
      outgoing.end(script ?? `<!doctype html><title>Shop</title>${pages[pathname] ?? '<p>Thank you</p>'}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    pages,
    files,
    /** Requests that the site proxied to the product, with the cookies of the answers. */
    passed,
    passOn(name: string, to: string) {
      proxy = { name, to }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const sites = ['nginx', 'caddy', 'next', 'cloudflare'] as const
export type Site = (typeof sites)[number]

const nameIn = (address: string) => address.slice(address.lastIndexOf('/') + 1)

/** Returns the tag for a site that proxies `/{name}.js` and the calls below `/{name}/` itself. */
export const ownTag = (address: string) =>
  `<script async\nsrc="/${nameIn(address)}.js"\ndata-endpoint="/${nameIn(address)}">\n</script>`

/** Returns the server configuration that proxies them, without the visitors' cookies and with their IP addresses. */
export function buildRecipe(site: Site, address: string): string {
  const name = nameIn(address)
  const { origin, host } = new URL(address)
  const below = address.slice(0, -name.length - 1)
  if (site === 'nginx') {
    const passing = (from: string, to: string) => `location ${from} {
  proxy_pass ${to};
  proxy_ssl_server_name on;
  proxy_set_header Host ${host};
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header Cookie "";
}`
    return `${passing(`= /${name}.js`, `${address}.js`)}\n${passing(`/${name}/`, `${address}/`)}`
  }
  if (site === 'caddy')
    return `@script path /${name}.js /${name}/*
handle @script {
  rewrite * ${below.slice(origin.length)}{uri}
  reverse_proxy ${origin} {
    header_up Host {upstream_hostport}
    header_up -Cookie
  }
}`
  if (site === 'next')
    return `// next.config.js
rewrites: async () => [
  { source: '/${name}.js', destination: '${address}.js' },
  { source: '/${name}/:what', destination: '${address}/:what' },
]`
  return `// on the routes /${name}.js and /${name}/*
export default {
  fetch(request) {
    const { pathname } = new URL(request.url)
    const headers = new Headers(request.headers)
    headers.set('x-forwarded-for', headers.get('cf-connecting-ip'))
    headers.delete('cookie')
    const { method, body } = request
    return fetch('${below}' + pathname, { method, headers, body })
  },
}`
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Config, readConfig } from '../server/platform/config/config.ts'
import { openServerSocket } from '../server/platform/http/server-socket.ts'
import { PASSPHRASE, signIns } from './sign-ups.ts'

export type Progress = { text: string; filled: number }

/**
 * Shows on the product's address how far the filling is, until `close` leaves it to the product; an open page then
 * becomes the product by itself. Throws `StartRefusal` if the address is taken.
 */
export async function showWaitingPage(read: () => Progress, config: Config = readConfig(process.env)) {
  const socket = await openServerSocket(config)
  socket.open((request, response) => answer(request, response, read()))
  return { url: config.port === socket.port ? config.appUrl : `http://localhost:${socket.port}`, close: socket.close }
}

function answer({ headers }: IncomingMessage, response: ServerResponse, progress: Progress) {
  const isPage = headers.accept?.includes('text/html')
  response.writeHead(503, {
    'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
    'cache-control': 'no-store',
    'retry-after': '1',
  })
  response.end(isPage ? pageOf(progress) : JSON.stringify(progress))
}

// colors of web/ui/tokens.css
const pageOf = ({ text, filled }: Progress) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Filling the demo · Tributary</title>
<style>
:root { color-scheme: light dark; accent-color: light-dark(#3347c4, #4a5fd9) }
body { margin: 0; padding: 48px 16px; background: light-dark(#f6f7f9, #0f141b); color: light-dark(#17202b, #e8edf3);
  font: 14px/1.5 Inter, system-ui, sans-serif }
main { max-width: 560px; margin: auto; padding: 24px; border: 1px solid light-dark(#dde2e8, #2c3743);
  border-radius: 8px; background: light-dark(#fff, #171e27) }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25 }
h2 { margin: 24px 0 8px; font-size: 16px }
p { margin: 8px 0 }
progress { width: 100%; height: 12px }
ul { margin: 0; padding: 0; list-style: none }
li { padding: 8px 0; border-top: 1px solid light-dark(#dde2e8, #2c3743); overflow-wrap: anywhere }
span { display: block; color: light-dark(#556170, #a9b4c1) }
code { font: inherit; font-weight: 600 }
</style>
<main>
<h1>Filling the demo</h1>
<p>A year of Harbor Analytics is made by the product’s own functions. This happens once.</p>
<p><progress aria-label="Filled" value="${filled}"></progress></p>
<p id="text" role="status">${text}</p>
<h2>Then sign in as one of these</h2>
<p>The passphrase of all of them: <code>${PASSPHRASE}</code></p>
<ul>
${signIns.map(({ role, email }) => `<li><code>${email}</code><span>${role}</span></li>`).join('\n')}
</ul>
</main>
<script>
setInterval(async () => {
  const reply = await fetch('/', { headers: { accept: 'application/json' } }).catch(() => null)
  if (!reply) return
  if (reply.status !== 503) return location.reload()
  const { text, filled } = await reply.json()
  if (!text) return
  document.querySelector('#text').textContent = text
  document.querySelector('progress').value = filled
}, 500)
</script>
</html>
`

import type { Endpoint } from '#contract/endpoint.ts'
import { escapeHtml } from '#contract/prose.ts'

type Call = Pick<Endpoint, 'method' | 'path' | 'summary'> & { tag: string }

type Given = {
  /** The address of the install. */
  appUrl: string
  calls: readonly Call[]
  /** The call to try first, with the partner's code in its body. */
  first: { call: Pick<Endpoint, 'method' | 'path'>; body: unknown; reply: unknown; code: string }
  /** The addresses of the explorer and of the document. */
  explorer: string
  document: string
}

/** Builds the page that begins the API reference: without scripts, so that it is there at once. */
export function buildReferencePage({ appUrl, calls, first, explorer, document }: Given, nonce: string) {
  const base = `${appUrl}/api/v1`
  const groups = Map.groupBy(calls, ({ tag }) => tag)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference · Tributary</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <header>
        <h1>API reference</h1>
        <p><a class="primary" href="${explorer}">Open API explorer</a> <a href="${document}">OpenAPI document</a></p>
      </header>
      <section aria-labelledby="first">
        <h2 id="first">Your first call</h2>
        <ol>
          <li>Create a key under <a href="/integrations/push-data">Push Data</a> and put it in <code>KEY</code>.</li>
          <li>Send a lead, with the code of one of your partners in place of <code>${escapeHtml(first.code)}</code>. The base URL is <code>${escapeHtml(base)}</code>.
            <pre tabindex="0" aria-label="The call">${escapeHtml(curlOf(base, first))}</pre>
          </li>
          <li>The reply is the lead, credited to this partner:
            <pre tabindex="0" aria-label="Its reply">${escapeHtml(JSON.stringify(first.reply, null, 2))}</pre>
          </li>
        </ol>
      </section>
      <section aria-labelledby="calls">
        <h2 id="calls">${calls.length} calls</h2>
        ${[...groups].map(([tag, some]) => groupOf(tag, some)).join('\n        ')}
      </section>
    </main>
  </body>
</html>
`
}

function groupOf(tag: string, calls: readonly Call[]) {
  const name = tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ')
  const rows = calls.map(
    ({ method, path, summary }) =>
      `<tr><td><code><b>${method}</b> ${escapeHtml(path.replace(/:(\w+)/g, '{$1}'))}</code></td><td>${escapeHtml(summary)}</td></tr>`,
  )
  return `<details id="${tag}"><summary>${escapeHtml(name)} <span>${calls.length}</span></summary><table>${rows.join('')}</table></details>`
}

function curlOf(base: string, { call, body }: Given['first']) {
  const lines = [
    `curl -X ${call.method} "${base}${call.path}"`,
    `  -H "Authorization: Bearer $KEY"`,
    `  -H "Content-Type: application/json"`,
    `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ]
  return lines.join(' \\\n')
}

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f6f7f9, #0f141b); --surface: light-dark(#fff, #171e27);
  --text: light-dark(#17202b, #e8edf3); --muted: light-dark(#556170, #a9b4c1); --line: light-dark(#dde2e8, #2c3743);
  --link: light-dark(#2f43bf, #a3b4ff); --primary: light-dark(#3347c4, #4a5fd9); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 24px 16px 64px; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px; }
h1 { margin: 0; font-size: 24px; }
h2 { margin: 0 0 12px; font-size: 16px; }
a { color: var(--link); }
.primary { display: inline-block; margin-right: 12px; padding: 8px 16px; border-radius: 6px; background: var(--primary);
  color: #fff; font-weight: 600; text-decoration: none; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
section { margin-top: 16px; padding: 16px 24px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
ol { margin: 0; padding-left: 20px; }
li + li { margin-top: 12px; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 8px 0 0; padding: 12px; overflow: auto; max-height: 260px; border: 1px solid var(--line); border-radius: 6px;
  background: var(--ground); white-space: pre-wrap; }
details { border-top: 1px solid var(--line); }
summary { padding: 10px 0; font-weight: 600; cursor: pointer; }
summary span, td + td { color: var(--muted); font-weight: 400; }
table { width: 100%; border-collapse: collapse; margin-bottom: 12px; }
td { padding: 6px 12px 6px 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 52%; }
@media (max-width: 600px) { section { padding: 16px; } td { display: block; width: auto !important; } td + td { border: 0; padding-top: 0; } }
`

import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '../fakes/certificates.ts'
import { freePort } from './free-port.ts'
import { NAME, onceItAnswers } from './over-tls.ts'

const sample = new URL('../../deploy/Caddyfile', import.meta.url)

const { status, stdout } = spawnSync('caddy', ['version'], { encoding: 'utf8' })

/** The reason why Caddy cannot be tested here, or false. */
export const noCaddy = status === 0 ? false : 'Caddy is not installed (apt-get install caddy)'

/** Switches to the sample's command for older versions. */
function asItIsSaidHere(site: string) {
  if (!/^v?2\.6\.[0-2]\b/.test(stdout)) return site
  const [, command = ''] = /^#\s+sudo sed -i '(.+)' \/etc\/caddy\/Caddyfile$/m.exec(site) ?? []
  return spawnSync('sed', [command], { input: site, encoding: 'utf8' }).stdout
}

/**
 * Starts Caddy with the configuration of `deploy/`, on its own port and with its own certificate, in front of these
 * processes.
 */
export async function startCaddy(processes: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-caddy-'))
  const port = await freePort()
  const { pem, key } = issueCertificate({ name: NAME })
  await writeFile(join(folder, 'certificate.pem'), pem)
  await writeFile(join(folder, 'key.pem'), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const [first = '', second = ''] = processes.map((url) => new URL(url).host)
  const site = asItIsSaidHere(await readFile(sample, 'utf8'))
    .replace('127.0.0.1:3000', first)
    .replace('127.0.0.1:3001', second)
    .replace(
      /^partners\.example\.com \{$/m,
      `${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/certificate.pem ${folder}/key.pem`,
    )
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { ...(await onceItAnswers(caddy, { port, ca: pem, folder })), port, ca: pem }
}

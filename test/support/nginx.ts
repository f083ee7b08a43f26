import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '../fakes/certificates.ts'
import { freePort } from './free-port.ts'
import { NAME, onceItAnswers } from './over-tls.ts'

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const deploy = new URL('../../deploy/', import.meta.url)

/** The reason why nginx cannot be tested here, or false. */
export const noNginx =
  spawnSync('nginx', ['-v'], { env: { PATH } }).status === 0
    ? false
    : 'nginx is not installed (apt-get install nginx-light)'

/** nginx with the configuration of `deploy/` in front of these processes; ports, paths and addresses are replaced. */
export async function startNginx(processes: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-nginx-'))
  await chmod(folder, 0o755)
  const [port, plainPort] = [await freePort(), await freePort()]
  const { ca } = await writeConfiguration(folder, { port, plainPort, processes })
  const nginx = spawn('nginx', ['-c', join(folder, 'main.conf'), '-p', folder, '-g', 'daemon off;'], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { ...(await onceItAnswers(nginx, { port, ca, folder })), plainPort, log: () => readLog(folder) }
}

const readLog = (folder: string) => readFile(join(folder, 'access.log'), 'utf8')

type Places = { port: number; plainPort: number; processes: string[] }

async function writeConfiguration(folder: string, { port, plainPort, processes }: Places) {
  const { pem, key } = issueCertificate({ name: NAME })
  await writeFile(join(folder, 'fullchain.pem'), pem)
  await writeFile(join(folder, 'privkey.pem'), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const [first = '', second = ''] = processes.map((url) => new URL(url).host)
  const upstream = (await shipped('nginx-upstream.conf'))
    .replace('127.0.0.1:3000', first)
    .replace('127.0.0.1:3001', second)
  const server = (await shipped('nginx.conf'))
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replaceAll(`/etc/letsencrypt/live/${NAME}`, folder)
    .replaceAll('/var/log/nginx', folder)
  await writeFile(join(folder, 'tributary.conf'), `${upstream}\n${server}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  await mkdir(join(folder, 'client_body'))
  await chmod(join(folder, 'client_body'), 0o777)
  await writeFile(
    join(folder, 'main.conf'),
    `pid ${folder}/pid; error_log stderr warn; worker_processes 2; events {}
     http { access_log ${folder}/access.log; ${temporary.join(' ')} include ${folder}/tributary.conf; }`,
  )
  return { ca: pem }
}

const shipped = (name: string) => readFile(new URL(name, deploy), 'utf8')

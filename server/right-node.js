import { readFileSync } from 'node:fs'

// Checks the version of Node before anything is loaded that an older one lacks, so it is imported first.

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [least] = engines.node.match(/\d+\.\d+/)
const [major, minor] = least.split('.').map(Number)
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(
    `Tributary needs Node ${least} or newer, and this is ${process.versions.node}. In its folder, npm start and npx tributary take the one that npm ci has installed.\n`,
  )
  process.exit(1)
}

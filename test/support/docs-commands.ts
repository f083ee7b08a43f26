import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, type Tokens } from 'marked'
import { everyToken, readDocs } from '../../web/build/docs-markdown.ts'

// The code blocks of the docs and of README.md.

export const root = fileURLToPath(new URL('../../', import.meta.url))

const docs = readDocs(join(root, 'docs'))
export const readme = await readFile(join(root, 'README.md'), 'utf8')
export const texts = [...docs.pages.values()].map(({ tokens }) => tokens).concat([marked.lexer(readme)])
export const blocks = texts
  .flatMap((tokens) => everyToken(tokens))
  .filter((token) => token.type === 'code') as Tokens.Code[]
/** Indented code counts as well. */
const isShell = ({ lang, text }: Tokens.Code) => lang === 'sh' || (!lang && /^(npm|npx|node|curl) /.test(text))
const shell = blocks.filter(isShell).map(({ text }) => text)
export const calls = shell.filter((text) => text.startsWith('curl '))
export const commands = [
  ...new Set(
    shell
      .filter((text) => !calls.includes(text))
      .flatMap((text) =>
        text
          .replaceAll(/\\\n */g, '')
          .split('\n')
          .map((line) => line.replace(/\s+#.*$/, '').trim()),
      ),
  ),
]

/** Commands that run until stopped, with their output once they are up. */
export const untilStopped: Record<string, RegExp> = {
  'npm start': /listens on (\S+)/,
  'npm run dev': /listens on (\S+)/,
  'npx vite': /Local:\s+(\S+)/,
}
export const atOnce = ['node --test server/platform/config/config.test.ts']

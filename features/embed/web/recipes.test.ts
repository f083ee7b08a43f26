import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { siteWords } from '../recipes-text.ts'
import { codeFor, recipePage, siteKinds } from './recipes.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const snippet = '<script>stub</script>\n<script async src="https://partners.acme.example/s/acme.js"></script>'

test('every kind of site gets code with the account’s address', () => {
  for (const kind of siteKinds) {
    assert.match(
      codeFor(kind, { snippet, consentMode: 'off' }),
      /https:\/\/partners\.acme\.example\/s\/acme\.js['"]/,
      kind,
    )
  }
  assert.match(codeFor('gtm', { snippet, consentMode: 'required' }), /acme\.js\?consent=required"/)
  assert.equal(codeFor('wix', { snippet, consentMode: 'required' }), snippet)
})

test('the code for React and Next.js has at most 20 lines, and compiles as it is', async () => {
  const folder = `${root}.cache/recipes-${process.pid}`
  await mkdir(folder, { recursive: true })
  try {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      jsx: 'react-jsx',
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      skipLibCheck: true,
      types: [],
    }
    // the props that a Script of Next.js takes
    const script = `declare module 'next/script' {
      import type { ComponentType, ScriptHTMLAttributes } from 'react'
      const Script: ComponentType<ScriptHTMLAttributes<HTMLScriptElement> & { strategy?: string }>
      export default Script
    }`
    const use = `import { useReferral, type Referral } from './tributary'
      export function CheckOut() {
        const referral: Referral | null = useReferral()
        return <input type="hidden" name="clientId" value={referral?.referral ?? ''} />
      }`
    for (const kind of ['react', 'next'] as const) {
      const code = codeFor(kind, { snippet, consentMode: 'off' })
      assert.ok(code.split('\n').filter((line) => line).length <= 20, kind)
      await mkdir(`${folder}/${kind}`)
      await writeFile(`${folder}/${kind}/tsconfig.json`, JSON.stringify({ compilerOptions }))
      await writeFile(`${folder}/${kind}/next.d.ts`, script)
      await writeFile(`${folder}/${kind}/tributary.tsx`, code)
      await writeFile(`${folder}/${kind}/check-out.tsx`, use)
      const { stdout } = await promisify(execFile)(`${root}node_modules/.bin/tsc`, ['-p', `${folder}/${kind}`]).catch(
        (error: { stdout: string }) => error,
      )
      assert.equal(stdout, '', kind)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the docs have the same steps', async () => {
  const page = await readFile(`${root}docs/integrations/embed-script.md`, 'utf8')
  const text = page.replace(/\s+/g, ' ')
  for (const { name, steps } of Object.values(siteWords)) {
    const sentence = `**${name}.** ${steps.join(' ').replace(/<[^>]+>/g, '`$&`')}`
    assert.ok(text.includes(sentence), sentence)
  }
})

test('every kind of site leads to a page of the recipes', async () => {
  for (const kind of siteKinds) {
    const [, page = 'README'] = recipePage(kind).split('/recipes/')
    await access(`${root}docs/recipes/${page}.md`)
  }
})

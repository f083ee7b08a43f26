import { DOCS } from '#web/shared/docs.ts'
import type { EmbedCode } from '../contract.ts'
import { siteWords } from '../recipes-text.ts'

export type SiteKind = keyof typeof siteWords
export const siteKinds = Object.keys(siteWords) as SiteKind[]

/** Returns the URL of a snippet's script, without `.js`. */
export const addressIn = (snippet: string) => /src="([^"]+)\.js"/.exec(snippet)?.[1] ?? ''

type Facts = Pick<EmbedCode, 'snippet' | 'consentMode'>

const TYPES = `export type Referral = { referral: string; clickId: string | null; referralCode: string | null }
type Tributary = { (...call: unknown[]): void; q?: unknown[] }
declare global { interface Window { tributary?: Tributary } }`

const react = (src: string) => `import { useEffect, useState } from 'react'

${TYPES}

export function useReferral(): Referral | null {
  const [referral, setReferral] = useState<Referral | null>(null)
  useEffect(() => {
    if (!window.tributary) {
      const calls: Tributary = (...call) => void (calls.q ??= []).push(call)
      window.tributary = calls
      const script = Object.assign(document.createElement('script'), { async: true, src: '${src}' })
      document.head.append(script)
    }
    window.tributary('change', setReferral)
  }, [])
  return referral
}`

const next = (src: string) => `'use client'
import Script from 'next/script'
import { useEffect, useState } from 'react'

${TYPES}

export const TributaryScript = () => <Script src="${src}" />

export function useReferral(): Referral | null {
  const [referral, setReferral] = useState<Referral | null>(null)
  useEffect(() => {
    const calls: Tributary = (...call) => void (calls.q ??= []).push(call)
    window.tributary ??= calls
    window.tributary('change', setReferral)
  }, [])
  return referral
}`

/** Code other than the script tag. */
const codes: Partial<Record<SiteKind, (code: Facts) => string>> = {
  gtm: ({ snippet, consentMode }) =>
    consentMode === 'off' ? snippet : snippet.replace('.js"', `.js?consent=${consentMode}"`),
  react: ({ snippet }) => react(`${addressIn(snippet)}.js`),
  next: ({ snippet }) => next(`${addressIn(snippet)}.js`),
}

/** Returns the code for a kind of site. */
export const codeFor = (kind: SiteKind, code: Facts): string => codes[kind]?.(code) ?? code.snippet

/** The calls of a page's consent banner. */
export const CONSENT_CALLS = `tributary('consent') // given
tributary('consent', false) // revoked`

const withRecipe: SiteKind[] = ['wordpress', 'webflow', 'framer', 'shopify', 'next']

/** Returns the page of the docs that leads on to a credited sale: the recipe of this kind of site, else all of them. */
export const recipePage = (kind: SiteKind) => `${DOCS}/recipes${withRecipe.includes(kind) ? `/${kind}` : ''}`

import { workOff } from '../../demo/drain-jobs.ts'
import type { fakeSmtp } from '../fakes/smtp.ts'
import { anEmail, expectOk, type TestApp } from './app.ts'

type MailServer = Awaited<ReturnType<typeof fakeSmtp>>
type Owned = { id: string; token: string }

let made = 0
export const aSlug = () => `program-${++made}-${Math.random().toString(36).slice(2, 8)}`

/** Opens the account's page; returns its address. */
export async function openProgram(app: TestApp, account: Owned, change: Record<string, unknown> = {}) {
  const slug = aSlug()
  const body = { state: 'open', slug, ...change }
  expectOk(await app.api('PUT', `/accounts/${account.id}/program`, { token: account.token, body }))
  return slug
}

/** Gets a public page. */
export async function visitPage(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}${path}`, { redirect: 'manual', headers })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** Returns the value of a hidden field of a page. */
export const hiddenIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

export const anApplicant = (fields: Record<string, string> = {}) => ({
  ...{ firstName: 'Ada', lastName: 'Byron', email: anEmail('applicant') },
  ...fields,
})

/** Sends the form of a page, with the signed time that the page shows now. */
export async function sendForm(
  app: TestApp,
  slug: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const { html } = await visitPage(app, `/join/${slug}`)
  const body = new URLSearchParams({ issued: hiddenIn(html, 'issued'), ...fields })
  const response = await fetch(`${app.url}/join/${slug}`, { method: 'POST', redirect: 'manual', headers, body })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** The mails to an address, once all requested ones are sent. */
export async function lettersTo(app: TestApp, server: MailServer, email: string) {
  await workOff(app.services)
  // the job of a posted application requests its mail
  await workOff(app.services)
  return server.messages.filter(({ to }) => to.includes(email))
}

/** Returns the token of the newest link to confirm that was mailed to this address. */
export async function findConfirmToken(app: TestApp, server: MailServer, email: string) {
  const letters = await lettersTo(app, server, email)
  const found = letters.flatMap(({ text }) => /\/join\/confirm#token=([\w-]+)/.exec(text)?.[1] ?? [])
  return found.at(-1)
}

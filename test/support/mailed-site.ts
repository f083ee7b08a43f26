import { fakeSmtp } from '../fakes/smtp.ts'
import { ADMINISTRATOR, acceptInvitation, anEmail, expectOk, signIn } from './app.ts'
import { type Person, type Site, startSite } from './journey.ts'
import { test } from './test.ts'

export let mails: Awaited<ReturnType<typeof fakeSmtp>>
export let site: Site

/** Starts a site for the calling file, and a mail server that receives its mails. */
export function prepareMailedSite() {
  test.beforeAll(async () => {
    mails = await fakeSmtp()
    site = await startSite({ SMTP_URL: mails.url })
  })

  test.afterAll(async () => {
    await site?.end()
    await mails?.close()
  })
}

/** Waits for a mail to this address whose text has such a link, and returns the link. */
export async function linkTo(email: string, path: string) {
  const pattern = new RegExp(`https?://\\S+${path}#token=\\S+`)
  const { text } = await mails.waitFor(({ to, text }) => to.includes(email) && pattern.test(text))
  return pattern.exec(text)![0]
}

/** Accepts the invitation mailed to this address. */
export const acceptMailedInvitation = async (email: string) =>
  acceptInvitation(site, await linkTo(email, '/user-setup'))

/** An account whose owner accepted the mailed invitation. */
export async function aJoinedOwner(name: string): Promise<Person & { id: string }> {
  const email = anEmail('elena')
  const { token: admin } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const owner = { email, firstName: 'Elena', lastName: 'Marsh' }
  const { id } = expectOk(await site.api('POST', '/accounts', { token: admin, body: { name, owner } })).body
  const { token } = await acceptMailedInvitation(email)
  return { id, email, token }
}

import { StartRefusal } from '../platform/config/start-refusal.ts'
import { makeInvitationLinks } from '../program/auth/invitations.ts'
import { makeResetLink } from '../program/auth/link-requests.ts'
import { resetFactors } from '../program/auth/second-factor/factors.ts'
import { type Define, defineReport } from './command.ts'
import { parseEmail, withInstall } from './install.ts'

export const define: Define = (program) => {
  const user = program.command('user').description('Help users who can’t sign in.')
  defineReport(
    user
      .command('reset-password')
      .description('Print a link that lets a user set a new password, once within an hour. No email is sent.')
      .argument('<email>', 'their sign-in address'),
    ([given = '']) =>
      withInstall(async ({ config, db, secrets }) => {
        const email = parseEmail(given)
        const url = await makeResetLink(db, { config, secrets: await secrets() }, email)
        if (!url)
          throw new StartRefusal(
            `No user with the email ${email} has a password or has used single sign-on. npx tributary user invitations EMAIL prints the links of open invitations; npx tributary admin create creates an administrator.`,
          )
        return {
          lines: [`${email} can set a new password with this link, once within an hour:`, url],
          json: { email, url },
        }
      }),
  )
  defineReport(
    user
      .command('invitations')
      .description('Print the links of a new or existing user’s open invitations. No email is sent.')
      .argument('<email>', 'the invited address'),
    ([given = '']) =>
      withInstall(async ({ config, db, secrets }) => {
        const email = parseEmail(given)
        const invitations = await makeInvitationLinks(db, { config, secrets: await secrets() }, email)
        if (invitations.length === 0) throw new StartRefusal(`There is no open invitation for ${email}.`)
        return {
          lines: invitations.flatMap(({ accountName, expiresAt, url }) => [
            `${email} can accept the invitation to ${accountName ?? 'administer this server'} with this link, once until ${expiresAt.slice(0, 10)}:`,
            url,
          ]),
          json: { email, invitations },
        }
      }),
  )
  defineReport(
    user
      .command('reset-second-factor')
      .description(
        'Remove the authenticator app, passkeys and recovery codes of a user who has lost them, end their sessions, and mail them.',
      )
      .argument('<email>', 'their sign-in address'),
    ([given = '']) =>
      withInstall(async ({ config, db, secrets }) => {
        const email = parseEmail(given)
        const hadOne = await resetFactors(db, { config, secrets: await secrets() }, email)
        if (hadOne === undefined) throw new StartRefusal(`No user has the email ${email}.`)
        const done = `${email} signs in with the password alone again, and was signed out everywhere.`
        return {
          lines: [hadOne ? done : `${email} has no second factor; nothing was changed.`],
          json: { email, reset: hadOne },
        }
      }),
  )
  return user
}

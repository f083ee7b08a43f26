import { StartRefusal } from '../platform/config/start-refusal.ts'
import { makeInvitationLinks } from '../program/auth/invitations.ts'
import { makeResetLink } from '../program/auth/link-requests.ts'
import { type Define, reporting } from './command.ts'
import { emailOf, withInstall } from './install.ts'

export const define: Define = (program) => {
  const user = program.command('user').description('Help users who cannot sign in.')
  user
    .command('reset-password')
    .description('Print a link by which a user sets a new password, once and within an hour. No mail is sent.')
    .argument('<email>', 'with which they sign in')
    .option('--json', 'print one object')
    .action(
      reporting(([given = '']) =>
        withInstall(async ({ config, db, secrets }) => {
          const email = emailOf(given)
          const url = await makeResetLink(db, { config, secrets: await secrets() }, email)
          if (!url)
            throw new StartRefusal(
              `Nobody has a password with the email ${email}. npx tributary user invitations EMAIL prints the links of who was invited; npx tributary admin create makes an administrator.`,
            )
          return {
            lines: [`${email} sets a new password by this link, once and within an hour:`, url],
            json: { email, url },
          }
        }),
      ),
    )
  user
    .command('invitations')
    .description('Print the links of the open invitations of a user, new or known. No mail is sent.')
    .argument('<email>', 'the address that was invited')
    .option('--json', 'print one object')
    .action(
      reporting(([given = '']) =>
        withInstall(async ({ config, db, secrets }) => {
          const email = emailOf(given)
          const invitations = await makeInvitationLinks(db, { config, secrets: await secrets() }, email)
          if (invitations.length === 0) throw new StartRefusal(`Nobody has an open invitation with the email ${email}.`)
          return {
            lines: invitations.flatMap(({ accountName, expiresAt, url }) => [
              `${email} accepts the invitation to ${accountName ?? 'administer this install'} by this link, once and until ${expiresAt.slice(0, 10)}:`,
              url,
            ]),
            json: { email, invitations },
          }
        }),
      ),
    )
  return user
}

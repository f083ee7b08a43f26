import { text } from 'node:stream/consumers'
import { NewPassword } from '#contract/auth.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { isCommonPassword } from '../platform/config/weak-passwords.ts'
import {
  type Administrator,
  listAdministrators,
  type MadeAdministrator,
  makeAdministrator,
  removeAdministrator,
} from '../program/auth/administrators.ts'
import { type Define, defineReport, type Report } from './command.ts'
import { parseEmail, withInstall } from './install.ts'

export const define: Define = (program) => {
  const admin = program.command('admin').description('Create, list and remove administrators.')
  defineReport<{ email: string; passwordStdin?: boolean }>(
    admin
      .command('create')
      .description('Create an administrator with a password, or print a one-time setup link.')
      .requiredOption('--email <email>', 'their email address; an existing login is kept')
      .option('--password-stdin', 'read the password from standard input instead of printing a link'),
    (_, { email: given, passwordStdin = false }) =>
      withInstall(async ({ config, db, secrets }) => {
        const email = parseEmail(given)
        const password = passwordStdin ? await readPassword(email) : null
        return reportOf(email, await makeAdministrator(db, { config, secrets: await secrets() }, email, password))
      }),
  )
  defineReport(admin.command('list').description('List administrators and open invitations.'), () =>
    withInstall(async ({ db }) => {
      const administrators = await listAdministrators(db)
      return { lines: administrators.map(lineOf), json: { administrators } }
    }),
  )
  defineReport(
    admin
      .command('remove')
      .description('Remove an administrator, who keeps their login, or withdraw an invitation.')
      .argument('<email>', 'their sign-in address'),
    ([given = '']) =>
      withInstall(async ({ db }) => {
        const email = parseEmail(given)
        const outcome = await removeAdministrator(db, email)
        if (outcome === null)
          throw new StartRefusal(`${email} isn’t an administrator. npx tributary admin list shows all administrators.`)
        if (outcome === 'last')
          throw new StartRefusal(
            `${email} is the only administrator who can sign in. Create another one first: npx tributary admin create --email EMAIL.`,
          )
        return { lines: [`${email} is no longer an administrator.`], json: { email, outcome } }
      }),
  )
  return admin
}

const lineOf = ({ email, since, lastSignIn, state }: Administrator) =>
  state === 'invited'
    ? `${email}  invited ${day(since)}`
    : `${email}  since ${day(since)}  ${lastSignIn ? `last signed in on ${day(lastSignIn)}` : 'has not signed in recently'}`

const day = (at: string) => at.slice(0, 10)

/** Reads from a pipe or a file: an argument would appear in the list of processes and in the shell's history. */
async function readPassword(email: string) {
  if (process.stdin.isTTY) process.stderr.write('Type the password, then Enter and Ctrl-D.\n')
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!NewPassword.safeParse(password).success)
    throw new StartRefusal(`Standard input has ${[...password].length} characters; a password has 12 to 128.`)
  if (isCommonPassword(password, [email]))
    throw new StartRefusal('This password is too common; choose one that is hard to guess.')
  return password
}

function reportOf(email: string, made: MadeAdministrator): Report {
  const json = { email, ...made }
  switch (made.outcome) {
    case 'invited':
      return {
        lines: [`${email} becomes an administrator with this link, which works once within 7 days:`, made.url],
        json,
      }
    case 'made':
      return { lines: [`${email} is an administrator and can sign in with this password.`], json }
    case 'granted':
      return { lines: [`${email} is now an administrator and can sign in with their current password.`], json }
    case 'already':
      return { lines: [`${email} is already an administrator.`, RESET], json }
    case 'unproven':
      return {
        lines: [
          `${email} isn’t an administrator yet: they have a password, but the mailbox hasn’t been verified, so anyone who saw their invitation may have set it.`,
          'Give them this link to set a new password, which works once within an hour, then run this command again:',
          made.url,
        ],
        json,
      }
    case 'has-password':
      throw new StartRefusal(`${email} already has a password, which is unchanged. ${RESET}`)
  }
}

const RESET = 'npx tributary user reset-password EMAIL prints a link to set a new password.'

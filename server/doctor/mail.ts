import { greetMailServer, mailServer } from '../integrations/mail/transport.ts'
import { type Check, reportFault, reportOk, reportWarning } from './check.ts'

/** Checks whether the mail server accepts our sign-in; sends no mail. */
export const smtp: Check = {
  name: 'mail',
  patience: 30_000,
  async look({ config, needs }) {
    needs('SMTP_URL', 'MAIL_FROM', 'APP_URL')
    const server = mailServer(config)
    if (!server || !config.smtpUrl)
      return reportWarning(
        `There is no mail server: emails are stored in ${config.dataDir}/outbox and not sent.`,
        'Set SMTP_URL before you invite people.',
      )
    const error = await greetMailServer(config.smtpUrl, config.appUrl).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    )
    if (!error) return reportOk(`${server.host}:${server.port} accepts the sign-in.`)
    return reportFault(`${server.host}:${server.port}: ${error.message}`, adviceFor(error))
  },
}

/** How Microsoft, Google and servers without another way refuse a password. */
const ONLY_TOKENS =
  /basic auth\w* is disabled|5\.7\.139|application-specific password|unrecognized authentication type/i

/** Returns advice. nodemailer has one code for all connection errors; those from the system also have a syscall. */
function adviceFor({ code, syscall, message, command }: NodeJS.ErrnoException & { command?: string }) {
  if (ONLY_TOKENS.test(message))
    return 'It refuses passwords of accounts and wants an OAuth token, which the product can’t send: create an app password there, or use a relay that accepts a user and a password.'
  if (command === 'EHLO' || command === 'HELO')
    return 'Add ?name= with the full host name of this server, such as ?name=partners.example.com, to SMTP_URL.'
  if (code === 'EAUTH') return 'Correct user and password in SMTP_URL; special characters in them are percent-encoded.'
  if (code === 'ETLS' || (code === 'ESOCKET' && !syscall))
    return 'Enable TLS on the server with a certificate for this name, use smtps:// for implicit TLS, or add ?tls=off to SMTP_URL on a private network.'
  return 'Correct host and port in SMTP_URL, and check that your firewall and hosting provider allow outgoing connections to them.'
}

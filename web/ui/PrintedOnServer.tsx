import { t } from '../words.ts'
import { CodeBlock } from './CodeBlock.tsx'

/** For a link that may not be shown, and that no mail server takes: the command that prints it. */
export const PrintedOnServer = ({ email }: { email: string }) => (
  <CodeBlock label={t('printed.command')}>{t('printed.line', { email: quoted(email) })}</CodeBlock>
)

/** An address may hold an apostrophe, which a shell would take for a quote. */
const quoted = (email: string) => (/^[\w@.+-]+$/.test(email) ? email : `"${email}"`)

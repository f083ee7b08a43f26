import { CodeBlock } from '../ui/CodeBlock.tsx'
import { pieceWords } from '../words/pieces.ts'

/** The command that prints a link which may not be shown and which no mail server can send. */
export const PrintedOnServer = ({ email }: { email: string }) => (
  <CodeBlock label={pieceWords.printed.command}>{pieceWords.printed.line({ email: quoted(email) })}</CodeBlock>
)

/** Quotes an address, since an apostrophe in it would be a quote for the shell. */
const quoted = (email: string) => (/^[\w@.+-]+$/.test(email) ? email : `"${email}"`)

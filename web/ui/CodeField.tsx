import { useState } from 'react'
import { codeWords } from '../words/codes.ts'
import { Button } from './Button.tsx'
import { TextField } from './form.tsx'
import type { FormWith } from './use-form.ts'

type Props = {
  form: FormWith<{ code: string }>
  /** Whether there is an authenticator app, and whether recovery codes may stand in. */
  totp: boolean
  recovery: boolean
}

/** A code of the authenticator app; a recovery code instead is one press away. */
export function CodeField({ form, totp, recovery }: Props) {
  const [isRecovery, setRecovery] = useState(!totp)
  return (
    <>
      <TextField
        {...form.field('code', isRecovery ? codeWords.recoveryCode : codeWords.code)}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        help={isRecovery ? codeWords.recoveryHelp : codeWords.codeHelp}
        data-first-focus
      />
      {totp && recovery && (
        <div>
          <Button small onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? codeWords.useApp : codeWords.useRecovery}
          </Button>
        </div>
      )}
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { addPasskey, addTotp, Code, startAddingPasskey, startTotp } from '#contract/second-factor.ts'
import { requiredText } from '#contract/values.ts'
import { callApi } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { makePasskey } from '../../shared/passkey.ts'
import { explainWrongPassword } from '../../shared/wrong-password.ts'
import type { ActProps } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SecretField, TextField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useSend } from '../../ui/use-form.ts'
import { codeWords } from '../../words/codes.ts'
import { dialogWords } from '../../words/pieces.ts'
import { signInWords as words } from '../../words/sign-in-methods.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const TotpCode = z.strictObject({ code: Code })

/** Sets up an authenticator app: a QR code, then a code that the app shows. */
export function AddApp({ onClose }: ActProps<object>) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)
  const begin = useSend(async () => setSecret(await callApi(startTotp)))
  const started = useRef(false)
  useEffect(() => {
    if (!started.current) void begin.send(undefined)
    started.current = true
  }, [begin.send])
  const { end, shown } = useEnd(words.appAdded, onClose)
  const add = useCall(addTotp, { onSuccess: end })
  const form = useContractForm(TotpCode, { initial: { code: '' }, explain: explainWrongPassword, retryAt: 'code' })
  if (shown) return shown
  if (!secret)
    return (
      <Dialog heading={words.app} onClose={onClose} busy={begin.busy}>
        {begin.error && (
          <Message kind="error" answers={1}>
            {explainRefusal(begin.error)}
          </Message>
        )}
        <DialogActions>
          <Button onClick={onClose}>{dialogWords.cancel}</Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <FormDialog
      heading={words.app}
      why={words.scan}
      submit={words.setUp}
      form={form}
      save={add}
      onSubmit={(body) => add.mutate({ body })}
      onClose={onClose}
    >
      <QrCode text={secret.uri} label={words.qr} />
      <SecretField label={words.key} value={secret.secret} help={words.keyHelp} />
      <TextField
        {...form.field('code', codeWords.code)}
        autoComplete="one-time-code"
        inputMode="numeric"
        data-first-focus
      />
    </FormDialog>
  )
}

const PasskeyName = z.strictObject({ name: requiredText(40) })

/** Adds a passkey under a name, with the browser's own dialog. */
export function AddPasskey({ onClose }: ActProps<object>) {
  const { end, shown } = useEnd(words.passkeyAdded, onClose)
  const add = useCall(addPasskey, { onSuccess: end })
  const save = useSend(async ({ name }: { name: string }) => {
    const credential = await makePasskey(await callApi(startAddingPasskey))
    if (credential) await add.send({ body: { name, credential } })
  })
  const form = useContractForm(PasskeyName, { initial: { name: '' } })
  if (shown) return shown
  return (
    <FormDialog
      heading={words.addPasskey}
      form={form}
      save={{ ...save, saved: add.saved }}
      onSubmit={save.send}
      onClose={onClose}
    >
      <TextField {...form.field('name', words.passkeyName)} help={words.passkeyNameHelp} autoComplete="off" />
    </FormDialog>
  )
}

/** Ends the dialog, after showing the recovery codes that come with the first factor. */
function useEnd(done: string, onClose: () => void) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const end = ({ recoveryCodes }: { recoveryCodes: string[] | null }) => {
    showToast(done)
    if (recoveryCodes) setCodes(recoveryCodes)
    else onClose()
  }
  return { end, shown: codes && <RecoveryCodes codes={codes} onClose={onClose} /> }
}

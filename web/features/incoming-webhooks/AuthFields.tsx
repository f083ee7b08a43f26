import { isSigned, layouts, secretPlaces, signingKeys } from '#contract/incoming-webhooks.ts'
import type { FieldProps, FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, PasswordField, SelectField, TextField } from '../../ui/fields.tsx'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { type AuthValues, authTypes, encodings } from './auth.ts'

type Props = {
  form: FormWith<{ auth: AuthValues }>
  /** The kind that is already saved: its secret may be left empty. */
  known?: AuthValues['type']
}

/** Fields for how a sender authenticates. */
export function AuthFields({ form, known }: Props) {
  const { field } = form
  const { type } = form.values.auth
  const secret = {
    autoComplete: 'off',
    placeholder: known === type ? incomingWebhookWords.kept : undefined,
    showLabel: incomingWebhookWords.showSecret,
  }
  const chosen = field('auth.type', fieldWords.auth)
  return (
    <>
      <SelectField
        {...chosen}
        onChange={(next) => next && chosen.onChange(next)}
        choices={authTypes.map((value) => ({ value, label: incomingWebhookWords.auths[value] }))}
        help={incomingWebhookWords.authHelp[type]}
      />
      {type === 'header-hmac' && <SignatureFields form={form} secret={secret} />}
      {type === 'shared-secret' && <SharedSecretFields form={form} secret={secret} />}
      {type === 'basic' && (
        <FieldPair>
          <TextField {...field('auth.username', labelWords.username)} />
          <PasswordField {...field('auth.password', fieldWords.password)} {...secret} />
        </FieldPair>
      )}
    </>
  )
}

type SignatureProps = {
  form: FormWith<{ auth: AuthValues }>
  secret: Partial<React.ComponentProps<typeof PasswordField>>
}

/** Fields for each part of the signature. */
function SignatureFields({ form, secret }: SignatureProps) {
  const { field } = form
  const { auth } = form.values
  // in the order of the screen, which is the order mistakes are listed in
  const shared = field('auth.secret', incomingWebhookWords.secret)
  const parts = {
    header: field('auth.header', incomingWebhookWords.header),
    encoding: field('auth.encoding', incomingWebhookWords.encoding),
    layout: field('auth.layout', incomingWebhookWords.layout),
    prefix: field('auth.prefix', incomingWebhookWords.prefix),
    signed: field('auth.signed', labelWords.signed),
    key: field('auth.key', incomingWebhookWords.signingKey),
    timestampHeader: field('auth.timestampHeader', labelWords.timestampHeader),
    idHeader: field('auth.idHeader', incomingWebhookWords.idHeader),
  }
  return (
    <>
      <PasswordField {...shared} {...secret} />
      <FieldPair>
        <TextField {...parts.header} />
        <Choice
          {...parts.encoding}
          choices={encodings.map((value) => ({ value, label: incomingWebhookWords.encodings[value] }))}
        />
      </FieldPair>
      <FieldPair>
        <Choice
          {...parts.layout}
          choices={layouts.map((value) => ({ value, label: incomingWebhookWords.layouts[value] }))}
        />
        <TextField {...parts.prefix} optional help={incomingWebhookWords.prefixHelp} />
      </FieldPair>
      <FieldPair>
        <TextField {...parts.signed} help={incomingWebhookWords.signedHelp} autoComplete="off" />
        <Choice
          {...parts.key}
          choices={signingKeys.map((value) => ({ value, label: incomingWebhookWords.signingKeys[value] }))}
          help={incomingWebhookWords.signingKeyHelp}
        />
      </FieldPair>
      {isSigned(auth.signed, 'timestamp') && (
        <TextField {...parts.timestampHeader} optional help={incomingWebhookWords.timestampHeaderHelp} />
      )}
      {isSigned(auth.signed, 'id') && <TextField {...parts.idHeader} />}
    </>
  )
}

function SharedSecretFields({ form, secret }: SignatureProps) {
  const { field } = form
  return (
    <>
      <FieldPair>
        <Choice
          {...field('auth.in', incomingWebhookWords.secretIn)}
          choices={secretPlaces.map((value) => ({ value, label: incomingWebhookWords.secretPlaces[value] }))}
        />
        <TextField {...field('auth.name', incomingWebhookWords.secretNames[form.values.auth.in])} autoComplete="off" />
      </FieldPair>
      <FieldPair>
        <TextField
          {...field('auth.prefix', incomingWebhookWords.prefix)}
          optional
          help={incomingWebhookWords.secretPrefixHelp}
        />
        <PasswordField {...field('auth.secret', incomingWebhookWords.secret)} {...secret} />
      </FieldPair>
    </>
  )
}

type ChoiceProps<T extends string> = FieldProps<T> & { choices: { value: T; label: string }[]; help?: string }

/** A select that always has a value. */
const Choice = <T extends string>({ onChange, ...field }: ChoiceProps<T>) => (
  <SelectField {...field} onChange={(next) => next && onChange(next)} />
)

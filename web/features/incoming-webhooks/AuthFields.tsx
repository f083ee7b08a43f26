import { type FieldProps, type FormWith, fieldsOf } from '../../ui/contract-form.tsx'
import { FieldPair, PasswordField, SelectField, TextField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { type AuthValues, authTypes, encodings } from './auth.ts'

type Props = {
  form: FormWith<{ auth: AuthValues }>
  /** The kind it has already: its secret may be left out. */
  known?: AuthValues['type']
}

/** How a sender proves itself. */
export function AuthFields({ form, known }: Props) {
  const field = fieldsOf(form)
  const { type } = form.values.auth
  const secret = {
    autoComplete: 'off',
    placeholder: known === type ? t('incomingWebhooks.kept') : undefined,
    showLabel: t('incomingWebhooks.showSecret'),
  }
  const chosen = field('auth.type', t('incomingWebhooks.auth'))
  return (
    <>
      <SelectField
        {...chosen}
        onChange={(next) => next && chosen.onChange(next)}
        choices={authTypes.map((value) => ({ value, label: t(`incomingWebhooks.auths.${value}`) }))}
        help={t(`incomingWebhooks.authHelp.${type}`)}
      />
      {type === 'header-hmac' && (
        <>
          <FieldPair>
            <TextField {...field('auth.header', t('incomingWebhooks.header'))} />
            <Encoding {...field('auth.encoding', t('incomingWebhooks.encoding'))} />
          </FieldPair>
          <FieldPair>
            <TextField
              {...field('auth.prefix', t('incomingWebhooks.prefix'))}
              optional
              help={t('incomingWebhooks.prefixHelp')}
            />
            <PasswordField {...field('auth.secret', t('incomingWebhooks.secret'))} {...secret} />
          </FieldPair>
        </>
      )}
      {type === 'basic' && (
        <FieldPair>
          <TextField {...field('auth.username', t('incomingWebhooks.username'))} />
          <PasswordField {...field('auth.password', t('incomingWebhooks.password'))} {...secret} />
        </FieldPair>
      )}
    </>
  )
}

const Encoding = ({ onChange, ...field }: FieldProps<AuthValues['encoding']>) => (
  <SelectField
    {...field}
    onChange={(next) => next && onChange(next)}
    choices={encodings.map((value) => ({ value, label: t(`incomingWebhooks.encodings.${value}`) }))}
  />
)

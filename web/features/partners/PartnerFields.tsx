import type { FieldProps } from '../../ui/contract-form.tsx'
import { FieldPair, TextAreaField, TextField } from '../../ui/fields.tsx'
import { PartnerField } from '../../ui/PartnerPicker.tsx'
import { t } from '../../words.ts'

type Form = { form: { field: (path: never, label: string) => unknown } }

const fieldOf = <T,>({ form }: Form, path: string, label: string) => form.field(path as never, label) as FieldProps<T>

/** First name, last name and e-mail of a partner. */
export function NameFields(props: Form) {
  return (
    <>
      <FieldPair>
        <TextField {...fieldOf<string>(props, 'firstName', t('fields.firstName'))} autoComplete="off" optional />
        <TextField {...fieldOf<string>(props, 'lastName', t('fields.lastName'))} autoComplete="off" optional />
      </FieldPair>
      <TextField {...fieldOf<string>(props, 'email', t('fields.email'))} type="email" autoComplete="off" />
    </>
  )
}

type PlaceProps = Form & {
  accountId: string
  /** The code that is made where none is typed; without it one has to be. */
  suggestedCode?: string
}

/** What the owner alone reads. */
export const NoteField = (props: Form) => (
  <TextAreaField {...fieldOf<string>(props, 'note', t('fields.note'))} help={t('partners.noteHelp')} optional />
)

/** The code in a partner's links, and who stands above him. */
export function PlaceFields({ accountId, suggestedCode, ...props }: PlaceProps) {
  return (
    <FieldPair>
      <TextField
        {...fieldOf<string>(props, 'referralCode', t('fields.referralCode'))}
        placeholder={suggestedCode}
        autoComplete="off"
        help={t('fields.referralCodeHelp')}
        optional={suggestedCode !== undefined}
      />
      <PartnerField
        {...fieldOf<string | null>(props, 'parentPartnerId', t('fields.parentPartner'))}
        accountId={accountId}
        optional
      />
    </FieldPair>
  )
}

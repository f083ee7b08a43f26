import { type ApiKeyRight, apiKeyRights, createApiKey, NewApiKey } from '#features/api-keys/contract.ts'
import { ExpiresField, useExpires } from '#web/shared/ExpiresField.tsx'
import { useOwnAccount } from '#web/shell/current.ts'
import type { FieldProps } from '#web/ui/contract-form.tsx'
import { CheckboxField, TextField, useNotes } from '#web/ui/fields.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { SecretDialog } from '#web/ui/SecretDialog.tsx'
import { pushDataWords } from '../text.ts'
import styles from './PushData.module.css'

type Values = { name: string; rights: ApiKeyRight[] }

/** Creates a key of the account with a name and rights, and shows it this once. */
export const NewKey = defineFormAction(createApiKey, NewApiKey, ({ id }: { id: string }) => {
  const expires = useExpires()
  return {
    heading: pushDataWords.keys.add,
    why: pushDataWords.keys.help,
    initial: { name: '', rights: [] } as Values,
    send: (body) => ({ params: { id }, body: { ...body, ...expires.end } }),
    shows: ({ name, key }, { onClose }) => (
      <SecretDialog
        heading={name}
        label={pushDataWords.keys.label}
        secret={key}
        why={pushDataWords.keys.why({ name })}
        onClose={onClose}
      />
    ),
    fields: ({ field }) => (
      <>
        <TextField {...field('name')} autoComplete="off" />
        <Rights {...field('rights')} />
        <ExpiresField {...expires.field} />
      </>
    ),
  }
})

/** The rights of a key; that for rewards once the account has a group for customers. */
function Rights({ id, label, value, error, onChange }: FieldProps<ApiKeyRight[]>) {
  const { hasCustomerGroups } = useOwnAccount()
  const { notes, describedBy } = useNotes(id, undefined, error)
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-legend`}
      aria-describedby={describedBy}
      className={`stack gap-2 ${styles.rights}`}
    >
      <legend id={`${id}-legend`} className="strong">
        {label}
      </legend>
      {apiKeyRights
        .filter((right) => right !== 'rewards' || hasCustomerGroups)
        .map((right) => (
          <CheckboxField
            key={right}
            id={`${id}-${right}`}
            name={right}
            label={pushDataWords.keys.rights[right]}
            help={pushDataWords.keys.rightsWhy[right]}
            value={value.includes(right)}
            onChange={(on) => onChange(on ? [...value, right] : value.filter((one) => one !== right))}
            onBlur={() => undefined}
          />
        ))}
      {notes}
    </fieldset>
  )
}

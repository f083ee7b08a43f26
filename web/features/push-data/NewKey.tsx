import { type ApiKeyRight, apiKeyRights, createApiKey, NewApiKey } from '#contract/api-keys.ts'
import { ExpiresField, useExpires } from '../../shared/ExpiresField.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import type { FieldProps } from '../../ui/contract-form.tsx'
import { CheckboxField, TextField, useNotes } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { pushDataWords } from '../../words/push-data.ts'
import styles from './NewKey.module.css'

type Values = { name: string; rights: ApiKeyRight[] }

/** Creates a key of the account with a name and rights, and shows it this once. */
export const NewKey = exposeAction(
  defineFormAction(createApiKey, NewApiKey, ({ id }: { id: string }) => {
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
  }),
  { label: pushDataWords.keys.add },
)

function Rights({ id, label, value, error, onChange }: FieldProps<ApiKeyRight[]>) {
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
      {apiKeyRights.map((right) => (
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

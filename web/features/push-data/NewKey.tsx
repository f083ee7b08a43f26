import { useState } from 'react'
import { type ApiKeyRight, apiKeyRights, createApiKey, NewApiKey } from '#contract/api-keys.ts'
import { useCall } from '../../calls.ts'
import { ExpiresField, useExpires } from '../../shared/ExpiresField.tsx'
import { type FieldProps, useContractForm } from '../../ui/contract-form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CheckboxField, TextField, useNotes } from '../../ui/fields.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { pushDataWords } from '../../words/push-data.ts'
import styles from './NewKey.module.css'

type Values = { name: string; rights: ApiKeyRight[] }

/** Creates a key with a name and rights, and shows it this once. */
export function NewKey({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const expires = useExpires()
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const form = useContractForm(NewApiKey, { initial: { name: '', rights: [] } as Values })
  const save = useCall(createApiKey, { onSuccess: ({ name, key }) => setMade({ name, key }) })
  if (made)
    return (
      <SecretDialog
        heading={made.name}
        label={pushDataWords.keys.label}
        secret={made.key}
        why={pushDataWords.keys.why({ name: made.name })}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      heading={pushDataWords.keys.add}
      why={pushDataWords.keys.help}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: accountId }, body: { ...body, ...expires.end } })}
      onClose={onClose}
    >
      <TextField {...form.field('name', pushDataWords.keys.name)} autoComplete="off" />
      <Rights {...form.field('rights', pushDataWords.keys.rightsHead)} />
      <ExpiresField {...expires.field} />
    </FormDialog>
  )
}

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

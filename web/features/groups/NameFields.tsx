import type { FormWith } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { groupWords } from '../../words/groups.ts'

/** The name for the owner, and the one for partners. */
export const NameFields = ({ form: { field } }: { form: FormWith<{ name: string; publicName: string }> }) => (
  <>
    <TextField {...field('name', groupWords.name)} autoComplete="off" />
    <TextField
      {...field('publicName', groupWords.publicName)}
      autoComplete="off"
      help={groupWords.publicNameHelp}
      optional
    />
  </>
)

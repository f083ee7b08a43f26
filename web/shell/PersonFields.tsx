import { FieldPair, TextField } from '../ui/fields.tsx'
import type { FormWith } from '../ui/use-form.ts'

type Props = FormWith<{ email: string; firstName: string; lastName: string }>

/** The fields of a person who is invited. */
export const PersonFields = ({ field }: Pick<Props, 'field'>) => (
  <>
    <TextField {...field('email')} type="email" />
    <FieldPair>
      <TextField {...field('firstName')} />
      <TextField {...field('lastName')} />
    </FieldPair>
  </>
)

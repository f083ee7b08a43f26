import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OldLinkParameter } from '#contract/accounts.ts'
import { type OldProgram, oldPrograms } from '#contract/old-links.ts'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { settingsWords } from '../../words/settings.ts'

type Values = { oldLinkParameters: string[] }
type Props = { form: FormWith<Values> & { set: (values: Values) => void } }

const programs = Object.entries(oldPrograms).map(([value, { name }]) => ({ value: value as OldProgram, label: name }))
const programOf = (given: string | undefined) => programs.find(({ value }) => value === given)?.value ?? null

/** The parameters of links from another program. Choosing the program, here or by `?program=`, adds the one it uses. */
export function OldLinks({ form }: Props) {
  const { program: asked } = useSearch({ strict: false }) as { program?: string }
  const [program, choose] = useState(() => programOf(asked))
  const { oldLinkParameters } = form.values
  function add(program: OldProgram | null) {
    const parameter = program && oldPrograms[program].parameter
    if (parameter && !oldLinkParameters.includes(parameter))
      form.set({ oldLinkParameters: [...oldLinkParameters, parameter] })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the program of the address, once
  useEffect(() => add(program), [])
  return (
    <FormPanel heading={settingsWords.oldLinks} help={settingsWords.oldLinksHelp}>
      <SelectField
        id="old-program"
        name="program"
        label={settingsWords.comeFrom}
        onBlur={() => undefined}
        value={program}
        placeholder={settingsWords.chooseProgram}
        optional
        choices={programs}
        help={program && !oldPrograms[program].parameter && settingsWords.parameterUnknown}
        onChange={(chosen) => {
          choose(chosen)
          add(chosen)
        }}
      />
      <TagsField
        {...form.field('oldLinkParameters')}
        optional
        placeholder={settingsWords.addParameter}
        isWrong={(name) => !OldLinkParameter.safeParse(name).success}
        help={settingsWords.oldParametersHelp}
      />
    </FormPanel>
  )
}

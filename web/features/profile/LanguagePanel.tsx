import { useQuery, useQueryClient } from '@tanstack/react-query'
import { changeMe } from '#contract/auth.ts'
import { listLanguages } from '#features/languages/contract.ts'
import { apiQuery, me as meQuery, useCall } from '../../calls.ts'
import { SAME_AS_BROWSER } from '../../language.ts'
import { useMe } from '../../shell/current.ts'
import { FormPanel } from '../../ui/contract-form.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { basicWords } from '../../words/basic.ts'
import { profileWords } from '../../words/profile.ts'

/** The language of a partner's screens; the document loads anew in it once it is saved. */
export function LanguagePanel() {
  const client = useQueryClient()
  const { language } = useMe().preferences
  const { data } = useQuery(apiQuery(listLanguages))
  const save = useCall(changeMe, {
    onSuccess: (reply) => client.setQueryData(meQuery.queryKey, reply),
    onError: toastRefusal,
  })
  const others = data?.items.filter(({ language, parts }) => language === 'en' || parts.includes('partner')) ?? []
  if (others.length < 2) return null
  const chosen = others.some((one) => one.language === language) ? String(language) : SAME_AS_BROWSER
  return (
    <FormPanel heading={basicWords.fields.language}>
      <SelectField
        id="profile-language"
        name="language"
        label={basicWords.fields.language}
        value={chosen}
        disabled={save.busy}
        choices={[
          { value: SAME_AS_BROWSER, label: profileWords.sameAsBrowser },
          ...others.map(({ language, name }) => ({ value: language, label: name })),
        ]}
        onChange={(next) => next && next !== chosen && save.mutate({ body: { preferences: { language: next } } })}
        onBlur={() => undefined}
      />
    </FormPanel>
  )
}

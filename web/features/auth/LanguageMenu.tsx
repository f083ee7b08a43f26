import { useEffect, useState } from 'react'
import { currentLanguage } from '#contract/language.ts'
import { nearestLanguages } from '#contract/words.ts'
import { type Language, listLanguages } from '#features/languages/contract.ts'
import { callApi } from '../../api.ts'
import { chooseBefore } from '../../language.ts'
import { basicWords } from '../../words/basic.ts'
import styles from './LanguageMenu.module.css'

/** The language of the screens before signing in, kept in this browser; nothing where English is the only one. */
export function LanguageMenu() {
  const [all, setAll] = useState<Language[]>([])
  useEffect(() => {
    // without an answer the screens stay as they are
    callApi(listLanguages).then(
      ({ items }) => setAll(items.filter(({ parts }) => parts.includes('before'))),
      () => {},
    )
  }, [])
  if (all.length < 2) return null
  const shown = nearestLanguages(currentLanguage()).find((one) => all.some(({ language }) => language === one)) ?? 'en'
  return (
    <label className={`small muted ${styles.menu}`}>
      {basicWords.fields.language}
      <select className="control" value={shown} onChange={({ target }) => chooseBefore(target.value)}>
        {all.map(({ language, name }) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

export type Options<Name extends string> = {
  /** The figures to be measured; empty: the default ones. */
  names: Name[]
  quick: boolean
  /** Reports ratios from a busy machine too, marked as such. */
  anyway: boolean
  /** Ten times the rows for figures that take minutes to fill. */
  full: boolean
  /** Prints JSON below the table, or writes it to this file. */
  json: boolean | string
  compare: string | undefined
  /** Minutes of the soak; undefined: its own default. */
  minutes: number | undefined
}

/** Parses the words after `npm run bench --`. Throws a sentence about an unknown one. */
export function readOptions<Name extends string>(given: string[], known: readonly Name[]): Options<Name> {
  const options: Options<Name> = {
    names: [],
    quick: false,
    anyway: false,
    full: false,
    json: false,
    compare: undefined,
    minutes: undefined,
  }
  const words = [...given]
  const isFile = (word: string | undefined): word is string =>
    word !== undefined && !word.startsWith('-') && !known.includes(word as Name)
  while (words.length > 0) {
    const word = words.shift()!
    if (known.includes(word as Name)) options.names.push(word as Name)
    else if (word === '--quick') options.quick = true
    else if (word === '--anyway') options.anyway = true
    else if (word === '--full') options.full = true
    else if (word === '--json') options.json = isFile(words[0]) ? words.shift()! : true
    else if (word === '--minutes' && /^[1-9]\d{0,3}$/.test(words[0] ?? '')) options.minutes = Number(words.shift())
    else if (word === '--minutes') throw new Error('--minutes needs a whole number, such as 60.')
    else if (word === '--compare' && isFile(words[0])) options.compare = words.shift()
    else if (word === '--compare')
      throw new Error('--compare needs the file of an earlier run, as --json FILE writes it.')
    else
      throw new Error(
        `There is no ${word}; there are ${known.join(', ')}, --quick, --full, --anyway, --minutes N, --json [FILE] and --compare FILE.`,
      )
  }
  return options
}

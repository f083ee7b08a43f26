/**
 * Lets `Intl` answer as ICU 72 does, on which WebKit is built on Debian 12: Canadian English has month/day/year with
 * slashes, and AM and PM follow a narrow no-break space. Other engines differ in other ways. Runs in a page too, before
 * its scripts: it uses nothing outside itself.
 */
export function answerAsIcu72() {
  const Own = Intl.DateTimeFormat
  class There extends Own {
    constructor(locale?: string | string[], options?: Intl.DateTimeFormatOptions) {
      super(String(locale) === 'en-CA' ? 'en-US' : locale, options)
      const text = (at?: Date | number) =>
        this.formatToParts(at)
          .map(({ value }) => value)
          .join('')
      Object.defineProperty(this, 'format', { value: text })
    }
    override formatToParts(at?: Date | number) {
      return super
        .formatToParts(at)
        .map((part, index, parts) =>
          part.type === 'literal' && parts[index + 1]?.type === 'dayPeriod' ? { ...part, value: '\u202f' } : part,
        )
    }
  }
  Intl.DateTimeFormat = new Proxy(Own, {
    construct: (_, given) => new There(...given),
    apply: (_, __, given) => new There(...given),
  })
}

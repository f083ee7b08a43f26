// The color of an account, made readable: on the button it is the ground, elsewhere it is moved in lightness until it
// has enough contrast in each theme. Colors are written `#rrggbb`.

type Theme = 'light' | 'dark'

/** Grounds on which links are read; the colors of tokens.css with these names. */
export const grounds: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  light: { ground: '#f6f7f9', surface: '#ffffff', raised: '#eef1f5', selected: '#eef1fd', hover: '#f8f9fb' },
  dark: { ground: '#0f141b', surface: '#171e27', raised: '#212b37', selected: '#1e2945', hover: '#1b232d' },
}

/** Least contrast of text by WCAG 2, level AA. */
const ENOUGH = 4.5
const STEP = 0.01
/** Steps by which the button answers the pointer. */
const HOVER_STEPS = 4

export type AccentColors = {
  /** The color of links and of the focus ring, by theme. */
  link: Record<Theme, string>
  /** The ground of buttons, also below the pointer, and the text on it. */
  primary: string
  hover: string
  onPrimary: '#000000' | '#ffffff'
}

/** Returns the colors that follow from an accent; each is readable, whatever the accent. */
export function accentColors(accent: string): AccentColors {
  const onPrimary = contrastRatio(accent, '#ffffff') >= contrastRatio(accent, '#000000') ? '#ffffff' : '#000000'
  const away = onPrimary === '#ffffff' ? -1 : 1
  return {
    link: { light: readable(accent, 'light'), dark: readable(accent, 'dark') },
    primary: accent,
    hover: moved(accent, away * HOVER_STEPS),
    onPrimary,
  }
}

/** Moves a color away from the grounds of a theme until it can be read on each of them. */
function readable(accent: string, theme: Theme): string {
  const away = theme === 'light' ? -1 : 1
  const backs = Object.values(grounds[theme])
  const isReadable = (color: string) => backs.every((back) => contrastRatio(color, back) >= ENOUGH)
  for (let steps = 0; steps < 100; steps++) {
    const color = steps === 0 ? accent : moved(accent, away * steps)
    if (isReadable(color)) return color
  }
  return theme === 'light' ? '#000000' : '#ffffff'
}

/** Returns the contrast of two colors by WCAG 2: 1 is none, 21 black on white. */
export function contrastRatio(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

type Three = [number, number, number]

const linearOf = (color: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Three

function luminance(color: string) {
  const [r, g, b] = linearOf(color)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/**
 * Moves a color by this many hundredths of lightness; keeps its hue, and as much of its chroma as a screen can show.
 */
function moved(color: string, steps: number): string {
  const [lightness, a, b] = labOf(linearOf(color))
  const next = Math.min(1, Math.max(0, lightness + steps * STEP))
  for (let share = 1; share > 0; share -= 0.02) {
    const linear = linearFrom([next, a * share, b * share])
    if (linear.every((part) => part > -0.0001 && part < 1.0001)) return hexOf(linear)
  }
  return hexOf(linearFrom([next, 0, 0]))
}

const hexOf = (linear: Three) =>
  `#${linear
    .map((part) => {
      const given = Math.min(1, Math.max(0, part))
      const encoded = given <= 0.0031308 ? given * 12.92 : 1.055 * given ** (1 / 2.4) - 0.055
      return Math.round(encoded * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`

// OKLab, https://bottosson.github.io/posts/oklab/

function labOf([r, g, b]: Three): Three {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function linearFrom([lightness, a, b]: Three): Three {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

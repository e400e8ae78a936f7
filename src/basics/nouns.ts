/** `1 rule`, `2 rules` */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `an API key`, `an HTTPS edge`, `a TCP edge` */
export const withArticle = (noun: string) => `${/^([AEIOaeio]|H[A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`

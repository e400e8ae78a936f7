/** `an API key`, `an HTTPS edge`, `a TCP edge` */
export const withArticle = (noun: string) => `${/^([AEIOaeio]|H[A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`

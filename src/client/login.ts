/** Returns the header for the name and the password in a URL; undefined without a password. @throws TypeError that names the option */
export const loginOf = ({ username, password }: URL): string | undefined =>
  password === '' ? undefined : `Basic ${btoa(`${decode(username)}:${decode(password)}`)}`

/** Returns the password in a URL; an empty text if there is none. @throws TypeError that names the option */
export const passwordOf = ({ password }: URL): string => decode(password)

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // No `cause`, and no part of the URL: it is a password.
    throw new TypeError('`url` has a user name or a password with a "%" that begins no escape. Write "%25" for it.')
  }
}

/** Rejects a token that the fetch API would reject at each attempt. @throws TypeError that names the option */
export function refuseInvalidHeader(authorization: string): void {
  try {
    new Headers({ authorization })
  } catch {
    // No `cause`: the error text of the fetch API contains the token.
    throw new TypeError('`token` has a character that an HTTP header cannot have, such as a line feed.')
  }
}

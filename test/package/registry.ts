import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Published {
  /** The package.json of the package. */
  manifest: { name: string; version: string }
  tarball: string
}

/**
 * Starts a registry on loopback that has one package of its own, and passes all other requests on. npm reads a shrinkwrap
 * only where the registry says that there is one, as npm's registry does; from a tarball on the disk it does not.
 */
export async function startRegistry(
  { manifest, tarball }: Published,
  upstream: string,
): Promise<{ server: Server; url: string }> {
  const { name, version } = manifest
  const bytes = readFileSync(tarball)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (path === `/${name}`) {
      const dist = { integrity, tarball: `${url}/${name}/-/${name}-${version}.tgz` }
      const versions = { [version]: { ...manifest, dist, _hasShrinkwrap: true } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
    } else if (path.startsWith(`/${name}/-/`)) response.end(bytes)
    else response.writeHead(307, { location: upstream.replace(/\/+$/, '') + path }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, url }
}

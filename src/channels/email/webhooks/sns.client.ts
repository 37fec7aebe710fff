import { X509Certificate } from "node:crypto";
import { Injectable, ServiceUnavailableException } from "@nestjs/common";
import { OutboundClient, OutboundError } from "../../../platform/outbound/outbound.client.js";
import { originOf, type Topic } from "./aws.js";
import { isCertificateOf, isSignedBy, type SnsMessage } from "./sns-messages.js";

const KEPT_MS = 3_600_000;
const MAX_KEPT = 50;
/** Addresses of certificates that do not exist cost a request each, and anybody can name some. */
const MAX_FETCHES = 10;
const FETCHES_MS = 60_000;
const MAX_CERTIFICATE_BYTES = 16_384;
const FETCH_MS = 5_000;

interface Kept {
  until: number;
  certificate: Promise<X509Certificate | undefined>;
}

/** Verifies what comes from SNS, and confirms subscriptions. It calls no host but SNS in the region of the topic. */
@Injectable()
export class SnsClient {
  private readonly kept = new Map<string, Kept>();
  private fetches: number[] = [];

  constructor(private readonly outbound: OutboundClient) {}

  /** @throws ServiceUnavailableException: the certificate cannot be fetched at the moment */
  async isSigned(topic: Topic, message: SnsMessage): Promise<boolean> {
    if (!isCertificateOf(topic, message.SigningCertURL)) return false;
    const certificate = await this.certificate(message.SigningCertURL);
    const now = Date.now();
    if (!certificate || now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) return false;
    return isSignedBy(message, certificate, now);
  }

  /** Confirms the subscription of this topic. Where `SubscribeURL` leads does not matter. @throws ServiceUnavailableException */
  async confirm(topic: Topic, { TopicArn, Token = "" }: SnsMessage): Promise<void> {
    const query = new URLSearchParams({ Action: "ConfirmSubscription", TopicArn, Token }).toString();
    const { status } = await this.outbound
      .exchange(`${originOf("sns", topic)}/?${query}`, { headers: { accept: "*/*" }, timeoutMs: FETCH_MS })
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    if (status !== 200) throw new ServiceUnavailableException(`SNS answered with status ${status} to the confirmation`);
  }

  private certificate(url: string): Kept["certificate"] {
    const now = performance.now();
    const known = this.kept.get(url);
    if (known && known.until > now) return known.certificate;
    this.fetches = this.fetches.filter((at) => now - at < FETCHES_MS);
    if (this.fetches.length >= MAX_FETCHES)
      throw new ServiceUnavailableException("Too many certificates are asked for");
    this.fetches.push(now);
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    const certificate = this.fetch(url);
    this.kept.set(url, { until: now + KEPT_MS, certificate });
    // A network that fails now need not fail next time.
    certificate.catch(() => this.kept.delete(url));
    return certificate;
  }

  private async fetch(url: string): Promise<X509Certificate | undefined> {
    const { status, bytes } = await this.outbound
      .exchangeBytes(url, { headers: { accept: "*/*" }, timeoutMs: FETCH_MS, excerptBytes: MAX_CERTIFICATE_BYTES })
      .catch((error: unknown) => {
        throw unavailable(error);
      });
    if (status >= 500) throw new ServiceUnavailableException(`SNS answered with status ${status}`);
    try {
      return status === 200 ? new X509Certificate(bytes) : undefined;
    } catch {
      return undefined;
    }
  }
}

const unavailable = (error: unknown): unknown =>
  error instanceof OutboundError ? new ServiceUnavailableException(`SNS: ${error.message}`) : error;

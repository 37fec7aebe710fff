import { Code, FileText, Mail, MessageCircle, MessageSquare, Phone, Smartphone } from "lucide-react";
import type { ComponentType } from "react";

export const CHANNEL_ICONS: Record<string, ComponentType<{ size?: number; className?: string }>> = {
  email: Mail,
  sms: Smartphone,
  whatsapp: MessageCircle,
  voice: Phone,
  webchat: MessageSquare,
  api: Code,
  contact_form: FileText,
};

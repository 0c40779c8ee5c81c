//! XMP namespaces.

pub(super) const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub(super) const DC: &str = "http://purl.org/dc/elements/1.1/";
pub(super) const XMP: &str = "http://ns.adobe.com/xap/1.0/";
pub(super) const RIGHTS: &str = "http://ns.adobe.com/xap/1.0/rights/";
pub(super) const PHOTOSHOP: &str = "http://ns.adobe.com/photoshop/1.0/";
pub(super) const TIFF: &str = "http://ns.adobe.com/tiff/1.0/";
pub(super) const EXIF: &str = "http://ns.adobe.com/exif/1.0/";
pub(super) const EXIF_EX: &str = "http://cipa.jp/exif/1.0/";
pub(super) const AUX: &str = "http://ns.adobe.com/exif/1.0/aux/";
pub(super) const NOTE: &str = "http://ns.adobe.com/xmp/note/";

/// Namespaces that describe the old file only: thumbnails, further images in the file (gain maps, depth, motion,
/// sound), panoramas, and face regions of the old image.
pub(super) const FILE_SPECIFIC: [&str; 21] = [
    "http://ns.adobe.com/xap/1.0/g/img/",
    "http://ns.adobe.com/hdr-gain-map/1.0/",
    "http://ns.apple.com/HDRGainMap/1.0/",
    "http://ns.apple.com/pixeldatainfo/1.0/",
    "http://ns.apple.com/faceinfo/1.0/",
    "http://ns.google.com/photos/1.0/container/",
    "http://ns.google.com/photos/1.0/container/item/",
    "http://ns.google.com/photos/1.0/panorama/",
    "http://ns.google.com/photos/1.0/camera/",
    "http://ns.google.com/photos/1.0/depthmap/",
    "http://ns.google.com/photos/1.0/focus/",
    "http://ns.google.com/photos/1.0/image/",
    "http://ns.google.com/photos/1.0/audio/",
    "http://ns.google.com/photos/dd/1.0/device/",
    "http://ns.google.com/photos/dd/1.0/container/",
    "http://ns.google.com/photos/dd/1.0/item/",
    "http://www.metadataworkinggroup.com/schemas/regions/",
    "http://ns.microsoft.com/photo/1.2/",
    "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "http://ns.acdsee.com/regions/",
    "http://ns.samsung.com/photo/1.0/",
];

/// Single properties that describe the old file, by namespace.
pub(super) const FILE_SPECIFIC_PROPERTIES: [(&str, &[&str]); 5] = [
    (XMP, &["Thumbnails", "PageInfo"]),
    (NOTE, &["HasExtendedXMP"]),
    (PHOTOSHOP, &["ColorMode", "ICCProfile"]),
    (
        TIFF,
        &[
            "BitsPerSample",
            "Compression",
            "PhotometricInterpretation",
            "PlanarConfiguration",
            "SamplesPerPixel",
            "YCbCrCoefficients",
            "YCbCrPositioning",
            "YCbCrSubSampling",
            "PrimaryChromaticities",
            "ReferenceBlackWhite",
            "TransferFunction",
            "WhitePoint",
            "NativeDigest",
        ],
    ),
    (
        EXIF,
        &[
            "CFAPattern",
            "ComponentsConfiguration",
            "CompressedBitsPerPixel",
            "FocalPlaneResolutionUnit",
            "FocalPlaneXResolution",
            "FocalPlaneYResolution",
            "NativeDigest",
            "SubjectArea",
            "SubjectLocation",
        ],
    ),
];
